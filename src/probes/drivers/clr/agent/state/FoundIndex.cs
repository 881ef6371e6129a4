using System.Collections.Generic;

namespace Substrate.State
{
    /// <summary>Roots by their objects.</summary>
    sealed class FoundIndex
    {
        readonly SeenObjects seen = new SeenObjects();
        readonly List<Found> roots = new List<Found>();

        internal void AddAll(IList<Found> all)
        {
            foreach (Found root in all) Add(root);
        }

        internal void Add(Found root)
        {
            object target = root.Target;
            if (target == null || seen.Find(target) >= 0) return;
            seen.Add(target, roots.Count);
            roots.Add(root);
        }

        internal Found Find(Found root)
        {
            object target = root.Target;
            int at = target == null ? -1 : seen.Find(target);
            return at < 0 ? null : roots[at];
        }
    }
}
