using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;

namespace Example
{
    /// <summary>Methods that look harmless.</summary>
    public sealed class Traps
    {
        internal static int noise;
        int max;
        int width;
        int height;
        Cart owner;
        readonly List<Loud> louds = new List<Loud> { new Loud() };
        readonly Loud loud = new Loud();
        readonly Quiet quiet = new Quiet();
        readonly HashSet<Loud> set = new HashSet<Loud>();
        readonly List<int> sizes = new List<int>();
        readonly IEnumerable<int> feed = Drained(new Queue<int>(new[] { 1, 2, 3 }));
        readonly IReadOnlyList<int> whole = new[] { 1, 2, 3 };
        event Action Changed;

        // The value from before does not undo these.
        public int Max { get { return max; } set { if (value > max) max = value; } }
        public int Size { get { return width; } set { width = value; height = value; } }
        public Cart Owner { get { return owner; } set { owner = value; } }
        public int Twice { get { return height; } set { height = value * 2; } }

        // The framework calls methods of the app.
        public string Describe() { return "here is " + loud; }
        public bool Has(Loud one) { return louds.Contains(one); }
        public bool HasHashed(Loud one) { return set.Contains(one); }
        public List<Loud> Sorted() { var copy = new List<Loud>(louds); copy.Sort(); return copy; }
        public string Listed() { return string.Join(", ", new Rows(this)); }
        public int Direct() { return loud.GetHashCode(); }
        public string Calmly() { return "here is " + quiet + width; }
        public string CalmList() { return string.Join(", ", new CalmRows(width)); }
        public int EachOf() { int sum = 0; foreach (string row in new Rows(this)) sum += row.Length; return sum; }

        // To go through it takes things out of it.
        public int Fed() { return feed.Sum(); }
        public int FedEach() { int sum = 0; foreach (int each in feed) sum += each; return sum; }
        public int Whole() { return whole.Sum(); }
        static IEnumerable<int> Drained(Queue<int> queue) { while (queue.Count > 0) yield return queue.Dequeue(); }

        // They run what is not seen here.
        public int Told { get { return width; } set { width = value; if (Changed != null) Changed(); } }
        public int Wake() { return Sleeper.Hours; }
        public int Stir() { return Light.Hours; }
        public int Later() { return quiet.Level(); }
        public void Copy(int[] into) { new List<int> { 1 }.CopyTo(into); }
        public List<Cart> Opened(List<Cart> carts) { foreach (Cart cart in carts) cart.SetOpen(true); return carts; }
        public Cart First(List<Cart> carts) { Cart first = carts.First(); first.SetOpen(true); return first; }
        public bool Try(string text) { return int.TryParse(text, out width); }
        public bool TryLocal(string text) { int parsed; return int.TryParse(text, out parsed) && parsed > width; }

        public int Used(int value) { using (var tool = new Tool()) return tool.Twice(value); }
        public void Wrapped(int value) { new System.Collections.ObjectModel.Collection<int>(sizes).Add(value); }
        public int Unwrapped(int value) { var copy = new List<int>(sizes); copy.Add(value); return copy.Count; }

        sealed class Tool : IDisposable
        {
            public int Twice(int value) { return 2 * value; }
            public void Dispose() { noise++; }
        }

        int Peak { get; set; }
        public void SetPeak(int value) { if (value > Peak) Peak = value; }

        public sealed class Loud : IComparable<Loud>
        {
            int hash;
            public override string ToString() { return "loud" + noise++; }
            public override bool Equals(object other) { noise++; return this == other; }
            public override int GetHashCode() { return hash != 0 ? hash : (hash = 7); }
            public int CompareTo(Loud other) { return noise++; }
        }

        static class Sleeper
        {
            internal static int Hours = noise++;
        }

        static class Light
        {
            internal static readonly List<int> Table = new List<int> { 1, 2 };
            internal static int Hours = 8;
        }

        sealed class Rows : IEnumerable<string>
        {
            readonly Traps of;
            internal Rows(Traps of) { this.of = of; }
            public IEnumerator<string> GetEnumerator()
            {
                of.width++;
                return new List<string> { "row" }
                .GetEnumerator();
            }
            IEnumerator IEnumerable.GetEnumerator() { return GetEnumerator(); }
        }

        sealed class CalmRows : IEnumerable<string>
        {
            readonly int count;
            internal CalmRows(int count) { this.count = count; }
            public IEnumerator<string> GetEnumerator() { return new List<string> { "row" + count }.GetEnumerator(); }
            IEnumerator IEnumerable.GetEnumerator() { return GetEnumerator(); }
        }
    }

    public class Quiet
    {
        public virtual int Level() { return 1; }
        public override string ToString() { return "quiet"; }
    }
}
