using System;
using System.Collections.Generic;
using System.Diagnostics;
using Substrate.Budget;
using Substrate.State;

namespace Substrate.Roots
{
    // What timers, waiting async methods and handlers of events hold.
    sealed class HeldRoots : IFinder
    {
        const int LookAgainMs = 1000;
        const int MaxObjects = 20000;
        const int MaxMs = 15;
        // The code is new when it looks for the first time.
        const int FirstMs = 150;
        readonly Pace pace;
        readonly Stopwatch sinceLook = new Stopwatch();
        List<RootCandidate> found = new List<RootCandidate>();

        // Containers of services that the last look met.
        internal List<WeakReference> Containers { get; private set; }

        internal HeldRoots(Pace pace)
        {
            this.pace = pace;
            Containers = new List<WeakReference>();
        }

        public IEnumerable<RootCandidate> Find(bool fresh)
        {
            Refresh(fresh);
            return found;
        }

        internal void Refresh(bool fresh)
        {
            if (!fresh && sinceLook.IsRunning && sinceLook.ElapsedMilliseconds < LookAgainMs) return;
            try
            {
                Look();
            }
            catch (Exception)
            {
                // What was found before stands.
            }
            sinceLook.Restart();
        }

        void Look()
        {
            var held = new HeldObjects();
            using (OwnMemory memory = Initialisers.Open())
            {
                Timers.StartAll(memory, held);
                EventHandlers.StartAll(memory, held);
            }
            held.Run(MaxObjects, sinceLook.IsRunning ? MaxMs : Math.Min(FirstMs, pace.Left), pace);
            found = held.Found();
            var containers = new List<WeakReference>();
            foreach (object container in held.Containers) containers.Add(new WeakReference(container));
            Containers = containers;
        }
    }
}
