using System.Collections.Generic;
using Substrate.Budget;
using Substrate.Read;

namespace Substrate.State
{
    // A value that a method returned, as a scalar or as dot-notation keys.
    sealed class Flattening : ILeaves
    {
        readonly Dictionary<string, object> map = new Dictionary<string, object>();
        readonly Walk walk;
        bool isScalar;
        object scalar;

        Flattening(Shapes shapes)
        {
            walk = new Walk(shapes, new ObjectReader(shapes, new MemberOrder()), Pace.Free());
        }

        // `roots`: the roots of the state; the value itself is shown in full, even if it is one of them.
        internal static object Flatten(object value, IList<RootCandidate> roots, int maxLeaves, Shapes shapes)
        {
            var flat = new Flattening(shapes);
            RootCandidate root = RootCandidate.Alone(new Record().Put("", value));
            var others = new List<RootCandidate>();
            foreach (RootCandidate known in roots) if (!known.IsStatic && known.Target != value) others.Add(known);
            flat.walk.Run(root, others, maxLeaves, flat);
            flat.walk.Close();
            return flat.isScalar ? flat.scalar : flat.map;
        }

        public bool Put(long hash, byte kind, long bits, long more, object text)
        {
            object value = Leaf.Value(kind, bits, more, kind == LeafKind.Reference ? walk.Child.ReferencePath() : text);
            var path = new PathText();
            walk.Child.ParentPath(path);
            walk.Child.Segment(path);
            if (path.Length == 0)
            {
                isScalar = true;
                scalar = value;
                return true;
            }
            string key = path.ToString();
            if (map.ContainsKey(key)) return false;
            map.Add(key, value);
            return true;
        }
    }
}
