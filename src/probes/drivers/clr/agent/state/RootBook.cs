using System.Collections.Generic;

namespace Substrate.State
{
    /// <summary>
    /// The roots and their names. A root keeps its name as long as its object lives, also when it was not found for a
    /// while.
    /// </summary>
    sealed class RootBook
    {
        const int MaxFormer = 500;
        const int MaxRoots = 2000;
        readonly List<Found> former = new List<Found>();
        readonly HashSet<string> names = new HashSet<string>();
        /// <summary>Names that roots of other sources have.</summary>
        readonly HashSet<string> reserved = new HashSet<string>();

        /// <summary>Known by where they stand: static fields, services. Shown before all others.</summary>
        internal List<Found> First = new List<Found>();
        /// <summary>Found to be held by something; shown where nothing of the first shows them.</summary>
        internal List<Found> Later = new List<Found>();

        /// <summary>
        /// What comes with a name has it, a window that has just opened too: a root that was found gives way.
        /// </summary>
        internal void Reserve(IList<Found> others, ICollection<string> windows)
        {
            reserved.Clear();
            reserved.UnionWith(windows);
            bool isInTheWay = names.Overlaps(windows);
            foreach (Found root in others)
            {
                reserved.Add(root.Name);
                isInTheWay |= names.Contains(root.Name);
            }
            if (isInTheWay) NameAll();
        }

        /// <summary>
        /// Takes what was found now; those of `held` that are new are handed back, to be kept if nothing else shows
        /// them.
        /// </summary>
        internal List<Found> Take(IList<Found> standing, IList<Found> held)
        {
            List<Found> formerFirst = First;
            List<Found> formerLater = Later;
            First = new List<Found>();
            Later = new List<Found>();
            var still = new HashSet<Found>();
            var wereLater = new HashSet<Found>(formerLater);
            var known = new FoundIndex();
            known.AddAll(formerFirst);
            known.AddAll(formerLater);
            known.AddAll(former);
            foreach (Found root in standing)
            {
                Found kept = known.Find(root) ?? root;
                if (First.Count < MaxRoots && still.Add(kept)) First.Add(kept);
            }
            var fresh = new List<Found>();
            var taken = new FoundIndex();
            taken.AddAll(First);
            foreach (Found root in held)
            {
                if (taken.Find(root) != null) continue;
                taken.Add(root);
                Found same = known.Find(root);
                if (same == null) fresh.Add(root);
                else if (!still.Add(same)) continue;
                else if (wereLater.Contains(same)) Later.Add(same);
                else fresh.Add(same);
            }
            Remember(formerFirst, still);
            Remember(formerLater, still);
            NameAll();
            return fresh;
        }

        /// <summary>A root from now on.</summary>
        internal void Keep(Found root)
        {
            if (root.Name == null || IsTaken(root.Name)) Name(root);
            names.Add(root.Name);
            if (Later.Count < MaxRoots) Later.Add(root);
        }

        /// <summary>True when the object of a root does not live any more.</summary>
        internal bool IsSomeGone()
        {
            foreach (Found root in First) if (root.Target == null) return true;
            foreach (Found root in Later) if (root.Target == null) return true;
            return false;
        }

        void Remember(List<Found> roots, HashSet<Found> still)
        {
            foreach (Found root in roots)
                if (!still.Contains(root) && root.Target != null && root.Name != null) former.Add(root);
            former.RemoveAll(root => root.Target == null || still.Contains(root));
            if (former.Count > MaxFormer) former.RemoveRange(0, former.Count - MaxFormer);
        }

        /// <summary>Those that have a name come before those that want one.</summary>
        void NameAll()
        {
            names.Clear();
            var unnamed = new List<Found>();
            foreach (List<Found> roots in new[] { First, Later })
                foreach (Found root in roots)
                    if (root.Name == null || IsTaken(root.Name)) unnamed.Add(root);
                    else names.Add(root.Name);
            foreach (Found root in unnamed) Name(root);
        }

        void Name(Found root)
        {
            string name = root.Wish;
            if (IsTaken(name) && root.OtherWish != null) name = root.OtherWish;
            for (int count = 2; IsTaken(name); count++) name = root.Wish + "_" + count;
            root.Name = name;
            names.Add(name);
        }

        bool IsTaken(string name)
        {
            return names.Contains(name) || reserved.Contains(name);
        }
    }
}
