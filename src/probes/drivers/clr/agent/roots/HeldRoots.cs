using System;
using System.Collections.Generic;
using Substrate.Budget;

namespace Substrate.Roots
{
    // Roots that timers, waiting async methods and event handlers hold.
    sealed class HeldRoots : TimedFinder
    {
        const int MaxObjects = 20000;
        const int MaxMs = 15;
        // The first search runs cold code.
        const int FirstMs = 150;
        readonly Pace pace;

        // Containers of services that the last search found.
        internal List<WeakReference> Containers { get; private set; }

        internal HeldRoots(Pace pace)
        {
            this.pace = pace;
            Containers = new List<WeakReference>();
        }

        protected override void Search(bool fresh)
        {
            var held = new HeldObjects();
            using (OwnMemory memory = Initialisers.Open())
            {
                Timers.StartAll(memory, held);
                EventHandlers.StartAll(memory, held);
            }
            held.Run(MaxObjects, HasSearched ? MaxMs : Math.Min(FirstMs, pace.Left), pace);
            Found = held.Found();
            var containers = new List<WeakReference>();
            foreach (object container in held.Containers) containers.Add(new WeakReference(container));
            Containers = containers;
        }
    }
}
