using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Example
{
    /// <summary>A method for each effect.</summary>
    public sealed class Shelf
    {
        static int shared;
        string name = "";
        int level;
        long wide;
        bool dirty;
        Status status;
        Point spot;
        int? maybe;
        readonly object padlock = new object();
        readonly int[] slots = new int[4];
        readonly List<string> labels = new List<string>();
        readonly Dictionary<string, List<string>> groups = new Dictionary<string, List<string>>();
        readonly Voice calm = new Whisper();
        readonly Shape wild = new Blob();
        readonly IMaker maker = new Maker();
        readonly IMaker quiet = new Maker();
        readonly Func<int> function = () => shared++;
        IEnumerator<string> cursor = new List<string>().GetEnumerator();
        readonly Comparison<string> order = (one, other) => shared++;

        // Nothing.
        public int Sum() { int sum = 0; foreach (string label in labels) sum += label.Length; return sum; }
        public int SumOf(IEnumerable<int> given) { int sum = 0; foreach (int each in given) sum += each; return sum; }
        public string Joined(string separator) { return string.Join(separator, labels) + " of " + name + level; }
        public string Built()
        {
            var text = new StringBuilder();
            for (int at = 0; at < level; at++) text.Append(at);
            return text.ToString();
        }
        public List<string> Sorted() { var copy = new List<string>(labels); copy.Sort(); copy.Add("end"); return copy; }
        public List<string> Longer(int than)
        {
            return labels.Where(label => label.Length > than).Select(label => label.Trim()).ToList();
        }
        public int Counted() { return labels.Count(label => label.Length > 2); }
        public int Factorial(int of) { return of <= 1 ? 1 : of * Factorial(of - 1); }
        public bool Even(int n) { return n == 0 || Odd(n - 1); }
        public bool Odd(int n) { return n != 0 && Even(n - 1); }
        public string[] Copied() { return labels.ToArray(); }
        public int[] FreshArray() { var copy = new int[3]; copy[0] = level; return copy; }
        public Pair FreshObject(int a) { var pair = new Pair(a, 2); pair.Swap(); return pair; }
        public double CalmVoice() { return calm.Loudness(); }
        public int Checked(int at) { if (at < 0) throw new ArgumentException("negative " + at); return slots[at]; }
        public string Graded(int points)
        {
            switch (points)
            {
                case 1: return "one";
                case 2: return "two";
                case 3: return "three";
                default: return "none";
            }
        }
        public decimal Priced(decimal of) { return of * 10 + level; }
        public void Nothing() { int unused = level; unused++; }
        public int Caught(string text) { try { return int.Parse(text); } catch (FormatException) { return -1; } }
        public bool Known(string key)
        {
            List<string> found;
            return groups.TryGetValue(key, out found) && found.Count > 0;
        }
        public Status Switched()
        {
            switch (status) { case Status.New: return Status.Paid; default: return Status.New; }
        }
        public async Task<int> LookedAsync() { await Task.Delay(1); return level; }
        public IEnumerable<string> Listed() { foreach (string label in labels) yield return label + level; }
        public int Pure(int of) { return Generic(of) + level; }
        public string Titled(Status of) { return of.ToString() + level.ToString(); }
        public int Captured(int plus) { int sum = 0; labels.ForEach(label => sum += label.Length + plus); return sum; }
        public int Placed() { Point point = spot; point.X = 5; return point.X; }
        static T Generic<T>(T value) { return value; }

        // Setters.
        public string Name { get { return name; } set { name = value; } }
        public Status State { get { return status; } set { status = value; } }
        public int? Maybe { get { return maybe; } set { maybe = value; } }
        public string Auto { get; set; }
        public void SetChecked(string value)
        {
            if (value == null) throw new ArgumentNullException("value");
            name = value;
        }
        public void SetGuarded(int value) { if (value < 0) throw new ArgumentException("level"); level = value; }
        public void SetWide(int value) { wide = value; }
        public Shelf Named(string value) { name = value; return this; }
        public void SetClamped(int value) { level = Math.Max(0, value); }
        public void SetDefault(string value) { name = value ?? ""; }
        public string Compared { get { return name; } set { if (name == value) return; name = value; } }
        public int Numbered { get { return level; } set { if (value != level) level = value; } }

        // Own state.
        public string Marked { get { return name; } set { name = value; dirty = true; } }
        public void Add(string label) { labels.Add(label); level++; }
        public int Next(int plus) { return Interlocked.Add(ref level, plus); }
        public void Slot(int at, int value) { slots[at] = value; }
        public void SetBoth(string one, int other) { name = one; level = other; }
        public void Increase(int by) { level += by; }
        public int LockedRead() { lock (padlock) return level + 1; }
        public void AddTwice(string label) { Add(label); Add(label); }
        public void CountAll() { labels.ForEach(label => level += label.Length); }
        public string Advance() { cursor.MoveNext(); return cursor.Current; }
        public async Task AddLater(string label) { await Task.Delay(1); labels.Add(label); }
        public void Move(int x) { spot.X = x; }
        public void AddAll(int times)
        {
            for (int at = 0; at < times; at++) { string label = "n" + at; labels.Add(label); }
        }
        public void Remove(int length) { labels.RemoveAll(label => label.Length == length); }

        List<string> Notes { get; set; } = new List<string>();
        static List<string> Shares { get; set; } = new List<string>();
        public void Note(string text) { Notes.Add(text); }
        public async Task NoteLater(string text) { await Task.Delay(1); Notes.Add(text); }
        public void Begin() { Notes = new List<string>(); }

        // Anything.
        public void Share(string text) { Shares.Add(text); }
        public void ShareStatic() { shared++; }
        public double WildArea() { return wild.Area(); }
        public int Made() { return maker.Make() + quiet.Make(); }
        public int Invoked() { return function(); }
        public void Print(string text) { Console.Error.Write(text); }
        public void Fill(int[] array) { array[0] = 1; }
        public void Order() { labels.Sort(order); }
        public void Group(string key) { groups[key].Add("x"); }
        public int LambdaWrites() { labels.ForEach(label => shared++); return 1; }
        public void Touch(Pair pair) { pair.Swap(); }
        public void Spawn() { new Thread(Nothing).Start(); }
        public int Evenly(int n) { return n == 0 ? 0 : Oddly(n - 1); }
        public int Oddly(int n) { shared = n; return n == 0 ? 1 : Evenly(n - 1); }
        public async Task<int> PrintedAsync(string text) { await Task.Delay(1); Console.Error.Write(text); return 1; }
        public IEnumerable<int> Counting() { foreach (string label in labels) yield return shared++; }
        public int CountedAll() { int sum = 0; foreach (int each in Counting()) sum += each; return sum; }
        public int Shared(int value) { return Generic(shared = value); }
        public object Reflected(string method) { return GetType().GetMethod(method).Invoke(this, null); }
        public async Task<int> RunAsync() { return await Task.Run(() => level++); }

        public sealed class Pair
        {
            int a;
            int b;
            public Pair(int a, int b) { this.a = a; this.b = b; }
            public void Swap() { int kept = a; a = b; b = kept; }
        }

        abstract class Voice { internal abstract int Loudness(); }
        sealed class Whisper : Voice { internal override int Loudness() { return 1; } }
        abstract class Shape { internal virtual double Area() { return 1; } }
        class Square : Shape { internal override double Area() { return 4; } }
        class Middle : Shape { }
        sealed class Blob : Middle { internal override double Area() { return shared++; } }
        interface IMaker { int Make(); }
        sealed class Maker : IMaker { public int Make() { return shared++; } }
        bool IsDirty { get { return dirty && wide > 0; } }
    }
}
