using System;
using System.Collections.Generic;
using System.Text;
using Substrate.Budget;
using Substrate.Json;
using Substrate.Read;
using Substrate.State;

namespace Harness
{
    /// <summary>Objects that are read, and the state as a daemon puts it together from the reports.</summary>
    sealed class Subject : IFinder
    {
        readonly List<RootCandidate> roots = new List<RootCandidate>();
        readonly List<object> held = new List<object>();
        readonly List<string> paths = new List<string>();
        readonly List<object> values = new List<object>();
        readonly Dictionary<string, string> names = new Dictionary<string, string>();
        readonly int maxKeys;
        internal readonly StateReader Reader;
        internal CaptureReport Last;
        internal string LastText;

        internal Subject(int maxKeys) : this(maxKeys, Pace.Free(), double.MaxValue)
        {
        }

        internal Subject(int maxKeys, Pace pace, double memoryBytes)
        {
            this.maxKeys = maxKeys;
            Reader = new StateReader(maxKeys, new IFinder[] { this }, pace, memoryBytes);
        }

        internal Subject Put(string name, object target, bool stands = true)
        {
            held.Add(target);
            roots.Add(RootCandidate.Object(stands ? "service" : "held", null, name, "test", target));
            return this;
        }

        internal Subject PutStatics(Type type)
        {
            roots.Add(RootCandidate.Statics(type));
            return this;
        }

        internal void Drop(int at)
        {
            roots.RemoveAt(at);
            held.RemoveAt(at);
        }

        public IEnumerable<RootCandidate> Find(bool fresh)
        {
            // New objects each time, as finders give them.
            foreach (RootCandidate root in roots)
                yield return root.IsStatic
                    ? RootCandidate.Statics((Type)root.Target)
                    : RootCandidate.Object(root.Kind, null, root.Name, root.Where, root.Target);
        }

        /// <summary>What the daemon would know now, by path.</summary>
        internal Dictionary<string, object> State(bool full = false)
        {
            Last = Reader.Capture(full, false);
            LastText = Last.Leaves.ToString();
            NameAll();
            Apply((Dictionary<string, object>)JsonReader.Read(LastText));
            var state = new Dictionary<string, object>();
            for (int slot = 0; slot < paths.Count; slot++)
            {
                if (paths[slot] == null) continue;
                if (state.ContainsKey(paths[slot])) throw new Exception("twice: " + paths[slot]);
                state.Add(paths[slot], values[slot]);
            }
            return state;
        }

        // As the daemon does it, in short: those that have a name first.
        void NameAll()
        {
            var ids = new Dictionary<string, object>();
            foreach (bool isNamed in new[] { true, false })
                foreach (RootCandidate root in Last.Roots)
                {
                    if (ids.ContainsValue(root.Id) || names.ContainsKey(root.Id) != isNamed) continue;
                    string wish = isNamed ? names[root.Id] : root.Name ?? SlotNames.OfType((Type)root.Target);
                    string name = wish;
                    for (int count = 2; ids.ContainsKey(name); count++) name = wish + "_" + count;
                    ids.Add(name, root.Id);
                }
            foreach (KeyValuePair<string, object> root in ids) names[(string)root.Value] = root.Key;
            Reader.Name(ids);
        }

        /// <summary>A path with the name of its root.</summary>
        internal string Named(string path)
        {
            int end = 0;
            while (end < path.Length && char.IsDigit(path[end])) end++;
            return names[path.Substring(0, end)] + path.Substring(end);
        }

        object ShownAs(object value)
        {
            var reference = value as System.Collections.IList;
            if (reference == null) return value;
            var path = (string)reference[0];
            if (path == null) return "[a secret: " + reference[1] + "]";
            if (path.Length == 0) return "[ref] (the returned value)";
            return "[ref] " + (char.IsDigit(path[0]) ? Named(path) : path);
        }

        /// <summary>A value that a method returned.</summary>
        internal object Flatten(object value, int maxLeaves)
        {
            object flat = Reader.Flatten(value, maxLeaves);
            var map = flat as Dictionary<string, object>;
            if (map == null) return flat;
            foreach (string key in new List<string>(map.Keys)) map[key] = ShownAs(map[key]);
            return map;
        }

        void Apply(Dictionary<string, object> update)
        {
            var kind = (string)update["kind"];
            if (kind == "same") return;
            if (kind == "full")
            {
                paths.Clear();
                values.Clear();
                foreach (object path in (List<object>)update["paths"]) paths.Add(Named((string)path));
                foreach (object value in (List<object>)update["values"]) values.Add(ShownAs(value));
                Check.Same("as many values as paths", paths.Count, values.Count);
                return;
            }
            foreach (List<object> change in (List<object>)update["changed"])
            {
                int slot = (int)(long)change[0];
                Check.That("a slot that changes is there", paths[slot] != null);
                values[slot] = ShownAs(change[1]);
            }
            foreach (object gone in (List<object>)update["removed"])
            {
                Check.That("a slot that goes is there", paths[(int)(long)gone] != null);
                paths[(int)(long)gone] = null;
            }
            foreach (List<object> added in (List<object>)update["added"])
            {
                int slot = (int)(long)added[0];
                Check.That("an added slot is higher than all before", slot >= paths.Count);
                while (paths.Count < slot)
                {
                    paths.Add(null);
                    values.Add(null);
                }
                paths.Add(Named((string)added[1]));
                values.Add(ShownAs(added[2]));
            }
        }

        /// <summary>A reader that knows nothing yet, of the same objects.</summary>
        internal Subject Again()
        {
            var again = new Subject(maxKeys);
            for (int at = 0; at < roots.Count; at++)
                if (roots[at].IsStatic) again.PutStatics((Type)roots[at].Target);
                else again.Put(roots[at].Name, roots[at].Target, roots[at].Stands);
            return again;
        }

        internal string Text(string prefix)
        {
            var text = new StringBuilder();
            foreach (KeyValuePair<string, object> leaf in State())
            {
                if (!leaf.Key.StartsWith(prefix, StringComparison.Ordinal)) continue;
                if (text.Length > 0) text.Append(' ');
                text.Append(leaf.Key.Substring(prefix.Length)).Append('=').Append(Value(leaf.Value));
            }
            return text.ToString();
        }

        internal static string Value(object value)
        {
            return new JsonWriter().Value(value).ToString();
        }

        internal static string All(Dictionary<string, object> state)
        {
            var lines = new List<string>();
            foreach (KeyValuePair<string, object> leaf in state) lines.Add(leaf.Key + "=" + Value(leaf.Value));
            lines.Sort(StringComparer.Ordinal);
            return string.Join("\n", lines.ToArray());
        }
    }
}
