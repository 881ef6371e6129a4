using System.Collections.Generic;
using Substrate.Budget;
using Substrate.State;

namespace Substrate.Roots
{
    // All the ways in which an app may hold its state.
    static class Finders
    {
        // In the order in which their roots are named and shown.
        internal static IList<IFinder> All(HeapScan heap, Pace pace)
        {
            var held = new HeldRoots(pace);
            var others = new List<IFinder> { new StaticTypes(pace), new Services(held), held };
            heap.After(others);
            return new List<IFinder>(others) { heap };
        }
    }
}
