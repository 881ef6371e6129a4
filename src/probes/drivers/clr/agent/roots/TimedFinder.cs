using System;
using System.Collections.Generic;
using System.Diagnostics;
using Substrate.Health;
using Substrate.State;

namespace Substrate.Roots
{
    // Searches again after a while; if a search fails, the roots found before stay.
    abstract class TimedFinder : IFinder
    {
        const int SearchAgainMs = 1000;
        readonly Stopwatch sinceSearch = new Stopwatch();
        protected List<RootCandidate> Found = new List<RootCandidate>();

        protected bool HasSearched
        {
            get { return sinceSearch.IsRunning; }
        }

        protected abstract void Search(bool fresh);

        public IEnumerable<RootCandidate> Find(bool fresh)
        {
            Refresh(fresh);
            return Found;
        }

        internal void Refresh(bool fresh)
        {
            if (!fresh && HasSearched && sinceSearch.ElapsedMilliseconds < SearchAgainMs) return;
            try
            {
                Search(fresh);
            }
            catch (Exception discarded)
            {
                // The roots found before stay.
                Discarded.Count("TimedFinder.Refresh", discarded);
            }
            sinceSearch.Restart();
        }
    }
}
