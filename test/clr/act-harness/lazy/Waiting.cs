using System.Collections.Generic;

namespace Example
{
    /// <summary>Part of it refers to an assembly that is not loaded.</summary>
    public sealed class Waiting
    {
        int count;
        readonly List<string> names = new List<string>();

        public void Raise(int by) { count += by; }
        public int Longest(int least) { foreach (string name in names) if (name.Length > least) least =
            name.Length; return least; }
        public void Add(string name) { names.Add(name); }
        public int Weigh(int times) { return new Thing().Weight() * times; }
        public int Packed(int times) { return new List<Box<Thing>>().Count + times; }
        public int Indirect(int times) { return Heavier.Twice(times); }
        public void Take(Thing thing) { count = thing.Weight(); }
        public void TakeAll(List<Box<Thing>> things) { count = things.Count; }
    }

    sealed class Heavier : Thing
    {
        internal static int Twice(int times) { return 2 * times; }
    }
}
