using System;
using System.Collections.Generic;
using System.Diagnostics;
using Substrate.Health;
using Substrate.State;

namespace Substrate.Roots
{
    // Looks again after a while; where a look fails, what was found before stands.
    abstract class TimedFinder : IFinder
    {
        const int LookAgainMs = 1000;
        readonly Stopwatch sinceLook = new Stopwatch();
        protected List<RootCandidate> Found = new List<RootCandidate>();

        protected bool HasLooked
        {
            get { return sinceLook.IsRunning; }
        }

        protected abstract void Look(bool fresh);

        public IEnumerable<RootCandidate> Find(bool fresh)
        {
            Refresh(fresh);
            return Found;
        }

        internal void Refresh(bool fresh)
        {
            if (!fresh && HasLooked && sinceLook.ElapsedMilliseconds < LookAgainMs) return;
            try
            {
                Look(fresh);
            }
            catch (Exception discarded)
            {
                // See above.
                Discarded.Count("TimedFinder.Refresh", discarded);
            }
            sinceLook.Restart();
        }
    }
}
