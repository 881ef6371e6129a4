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
            Reader = new StateReader(maxKeys, new IFinder[] { this }, new IRootSource[0], pace, memoryBytes);
        }

        internal Subject Put(string name, object target, bool stands = true)
        {
            held.Add(target);
            roots.Add(RootCandidate.Object(name, "test", target, stands));
            return this;
        }

        internal Subject PutStatics(Type type)
        {
            roots.Add(RootCandidate.Statics(type, type.Name, null));
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
                    ? RootCandidate.Statics((Type)root.Target, root.Wish, null)
                    : RootCandidate.Object(root.Wish, root.Origin, root.Target, root.Stands);
        }

        /// <summary>What the daemon would know now, by path.</summary>
        internal Dictionary<string, object> State(bool full = false)
        {
            Last = Reader.Capture(full, false);
            LastText = Last.Leaves.ToString();
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

        void Apply(Dictionary<string, object> update)
        {
            var kind = (string)update["kind"];
            if (kind == "same") return;
            if (kind == "full")
            {
                paths.Clear();
                values.Clear();
                foreach (object path in (List<object>)update["paths"]) paths.Add((string)path);
                values.AddRange((List<object>)update["values"]);
                Check.Same("as many values as paths", paths.Count, values.Count);
                return;
            }
            foreach (List<object> change in (List<object>)update["changed"])
            {
                int slot = (int)(long)change[0];
                Check.That("a slot that changes is there", paths[slot] != null);
                values[slot] = change[1];
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
                paths.Add((string)added[1]);
                values.Add(added[2]);
            }
        }

        /// <summary>A reader that knows nothing yet, of the same objects.</summary>
        internal Subject Again()
        {
            var again = new Subject(maxKeys);
            for (int at = 0; at < roots.Count; at++)
                if (roots[at].IsStatic) again.PutStatics((Type)roots[at].Target);
                else again.Put(roots[at].Wish, roots[at].Target, roots[at].Stands);
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
