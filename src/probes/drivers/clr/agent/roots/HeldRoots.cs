using System;
using System.Collections.Generic;
using Substrate.Budget;

namespace Substrate.Roots
{
    // What timers, waiting async methods and handlers of events hold.
    sealed class HeldRoots : TimedFinder
    {
        const int MaxObjects = 20000;
        const int MaxMs = 15;
        // The code is new when it looks for the first time.
        const int FirstMs = 150;
        readonly Pace pace;

        // Containers of services that the last look met.
        internal List<WeakReference> Containers { get; private set; }

        internal HeldRoots(Pace pace)
        {
            this.pace = pace;
            Containers = new List<WeakReference>();
        }

        protected override void Look(bool fresh)
        {
            var held = new HeldObjects();
            using (OwnMemory memory = Initialisers.Open())
            {
                Timers.StartAll(memory, held);
                EventHandlers.StartAll(memory, held);
            }
            held.Run(MaxObjects, HasLooked ? MaxMs : Math.Min(FirstMs, pace.Left), pace);
            Found = held.Found();
            var containers = new List<WeakReference>();
            foreach (object container in held.Containers) containers.Add(new WeakReference(container));
            Containers = containers;
        }
    }
}
