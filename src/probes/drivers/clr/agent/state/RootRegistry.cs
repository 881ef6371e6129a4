using System.Collections.Generic;
using Substrate.Read;

namespace Substrate.State
{
    // The roots. A root stays the same as long as its object lives, even when a search did not find it for a while.
    sealed class RootRegistry
    {
        readonly List<RootCandidate> former = new List<RootCandidate>();

        // Roots with a fixed place: static fields, services. Shown before all others.
        internal List<RootCandidate> First = new List<RootCandidate>();
        // Roots that other objects hold; shown where none of the first shows them.
        internal List<RootCandidate> Later = new List<RootCandidate>();

        // Takes the result of a search; returns the new ones of `held`, which become roots if nothing else shows them.
        internal List<RootCandidate> Take(IList<RootCandidate> standing, IList<RootCandidate> held)
        {
            List<RootCandidate> formerFirst = First;
            List<RootCandidate> formerLater = Later;
            First = new List<RootCandidate>();
            Later = new List<RootCandidate>();
            var still = new HashSet<RootCandidate>();
            var wereLater = new HashSet<RootCandidate>(formerLater);
            var known = new RootCandidateIndex();
            known.AddAll(formerFirst);
            known.AddAll(formerLater);
            known.AddAll(former);
            foreach (RootCandidate root in standing)
            {
                RootCandidate kept = known.Find(root) ?? root;
                if (First.Count < Rules.MaxRoots && still.Add(kept)) First.Add(kept);
            }
            var fresh = new List<RootCandidate>();
            var taken = new RootCandidateIndex();
            taken.AddAll(First);
            foreach (RootCandidate root in held)
            {
                if (taken.Find(root) != null) continue;
                taken.Add(root);
                RootCandidate same = known.Find(root);
                if (same == null) fresh.Add(root);
                else if (!still.Add(same)) continue;
                else if (wereLater.Contains(same)) Later.Add(same);
                else fresh.Add(same);
            }
            Remember(formerFirst, still);
            Remember(formerLater, still);
            return fresh;
        }

        // Makes the candidate a root.
        internal void Keep(RootCandidate root)
        {
            if (Later.Count < Rules.MaxRoots) Later.Add(root);
        }

        // True when the object of a root is gone.
        internal bool IsSomeGone()
        {
            foreach (RootCandidate root in First) if (root.Target == null) return true;
            foreach (RootCandidate root in Later) if (root.Target == null) return true;
            return false;
        }

        void Remember(List<RootCandidate> roots, HashSet<RootCandidate> still)
        {
            foreach (RootCandidate root in roots)
                if (!still.Contains(root) && root.Target != null) former.Add(root);
            former.RemoveAll(root => root.Target == null || still.Contains(root));
            if (former.Count > Rules.MaxFormerRoots) former.RemoveRange(0, former.Count - Rules.MaxFormerRoots);
        }
    }

    // Roots by the identity of their objects.
    sealed class RootCandidateIndex
    {
        readonly SeenObjects seen = new SeenObjects();
        readonly List<RootCandidate> roots = new List<RootCandidate>();

        internal void AddAll(IList<RootCandidate> all)
        {
            foreach (RootCandidate root in all) Add(root);
        }

        internal void Add(RootCandidate root)
        {
            object target = root.Target;
            if (target == null || seen.Find(target) >= 0) return;
            seen.Add(target, roots.Count);
            roots.Add(root);
        }

        internal RootCandidate Find(RootCandidate root)
        {
            object target = root.Target;
            int at = target == null ? -1 : seen.Find(target);
            return at < 0 ? null : roots[at];
        }
    }
}
