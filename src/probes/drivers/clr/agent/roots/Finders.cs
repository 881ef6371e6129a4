using System.Collections.Generic;
using Substrate.Budget;
using Substrate.State;

namespace Substrate.Roots
{
    /// <summary>All the ways in which an app may hold its state.</summary>
    static class Finders
    {
        /// <summary>In the order in which their roots are named and shown.</summary>
        internal static IList<IFinder> All(HeapLook heap, Pace pace)
        {
            var held = new HeldRoots(pace);
            var others = new List<IFinder> { new StaticTypes(pace), new Services(held), held };
            heap.After(others);
            return new List<IFinder>(others) { heap };
        }
    }
}
