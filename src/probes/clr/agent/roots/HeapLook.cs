using System.Collections.Generic;
using Substrate.State;

namespace Substrate.Roots
{
    /// <summary>Objects of the app that only running methods hold, found by a look through the heap.</summary>
    sealed class HeapLook : IFinder
    {
        /// <summary>How many objects were found that nothing else leads to.</summary>
        internal int Look(string library) { return 0; }
        public IEnumerable<Found> Find(bool fresh) { yield break; }
    }
}
