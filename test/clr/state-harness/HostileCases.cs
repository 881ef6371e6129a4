using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Harness
{
    static class HostileCases
    {
        static int calls;

        static T Called<T>(T value)
        {
            Interlocked.Increment(ref calls);
            return value;
        }

        sealed class Touchy : IEnumerable<int>, IDictionary, IEquatable<Touchy>, IFormattable, IConvertible
        {
            static readonly string made = Called("made");
            public int Number = 1;
            private string _name = "n";

            public string Name { get { return Called(_name); } }
            public override string ToString() { return Called("s"); }
            public override bool Equals(object other) { return Called(false); }
            public bool Equals(Touchy other) { return Called(false); }
            public override int GetHashCode() { return Called(1); }
            public string ToString(string format, IFormatProvider provider) { return Called("f"); }
            public IEnumerator<int> GetEnumerator() { return Called((IEnumerator<int>)null); }
            IEnumerator IEnumerable.GetEnumerator() { return Called((IEnumerator)null); }
            IDictionaryEnumerator IDictionary.GetEnumerator() { return Called((IDictionaryEnumerator)null); }
            public void Add(object key, object value) { Called(made); }
            public void Clear() { Called(1); }
            public bool Contains(object key) { return Called(false); }
            public void Remove(object key) { Called(1); }
            public bool IsFixedSize { get { return Called(false); } }
            public bool IsReadOnly { get { return Called(false); } }
            public object this[object key] { get { return Called(key); } set { Called(1); } }
            public ICollection Keys { get { return Called((ICollection)null); } }
            public ICollection Values { get { return Called((ICollection)null); } }
            public void CopyTo(Array array, int index) { Called(1); }
            public int Count { get { return Called(1); } }
            public bool IsSynchronized { get { return Called(false); } }
            public object SyncRoot { get { return Called(this); } }
            public TypeCode GetTypeCode() { return Called(TypeCode.Int32); }
            public bool ToBoolean(IFormatProvider provider) { return Called(false); }
            public byte ToByte(IFormatProvider provider) { return Called((byte)0); }
            public char ToChar(IFormatProvider provider) { return Called('c'); }
            public DateTime ToDateTime(IFormatProvider provider) { return Called(DateTime.Now); }
            public decimal ToDecimal(IFormatProvider provider) { return Called(0m); }
            public double ToDouble(IFormatProvider provider) { return Called(0.0); }
            public short ToInt16(IFormatProvider provider) { return Called((short)0); }
            public int ToInt32(IFormatProvider provider) { return Called(0); }
            public long ToInt64(IFormatProvider provider) { return Called(0L); }
            public sbyte ToSByte(IFormatProvider provider) { return Called((sbyte)0); }
            public float ToSingle(IFormatProvider provider) { return Called(0f); }
            public string ToString(IFormatProvider provider) { return Called("s"); }
            public object ToType(Type type, IFormatProvider provider) { return Called((object)null); }
            public ushort ToUInt16(IFormatProvider provider) { return Called((ushort)0); }
            public uint ToUInt32(IFormatProvider provider) { return Called(0u); }
            public ulong ToUInt64(IFormatProvider provider) { return Called(0ul); }
        }

        /// <summary>Its initialiser has run only when somebody has used it.</summary>
        static class Unused
        {
            static readonly object made = Called(new object());
            internal static object Made { get { return made; } }
        }

        sealed class ByNothing : IEqualityComparer<Touchy>, IComparer<string>
        {
            public bool Equals(Touchy one, Touchy other) { return Called(ReferenceEquals(one, other)); }
            public int GetHashCode(Touchy touchy) { return Called(RuntimeHelpers.GetHashCode(touchy)); }
            public int Compare(string one, string other) { return Called(string.CompareOrdinal(one, other)); }
        }

        sealed class Failing : Exception
        {
            public override string Message { get { return Called("m"); } }
            public override IDictionary Data { get { return Called((IDictionary)null); } }
        }

        sealed class OddList : List<int>, IEnumerable
        {
            IEnumerator IEnumerable.GetEnumerator() { return Called((IEnumerator)null); }
        }

        sealed class Holder
        {
            public Touchy Touchy = new Touchy();
            public List<Touchy> List = new List<Touchy>();
            public Dictionary<Touchy, Touchy> Map = new Dictionary<Touchy, Touchy>(new ByNothing());
            public ConcurrentDictionary<Touchy, int> Concurrent = new ConcurrentDictionary<Touchy, int>(new ByNothing());
            public SortedDictionary<string, Touchy> Sorted = new SortedDictionary<string, Touchy>(new ByNothing());
            public HashSet<Touchy> Set = new HashSet<Touchy>(new ByNothing());
            public object Boxed = new Touchy();
            public Exception Failing = new Failing();
            public OddList Odd = new OddList { 1 };
            public Lazy<int> Lazy = new Lazy<int>(() => Called(5));
            public IEnumerable<int> Query = Endless();
            public Type Type = typeof(Unused);
        }

        static IEnumerable<int> Endless()
        {
            while (true) yield return Called(1);
        }

        public static void NothingIsCalled()
        {
            var holder = new Holder();
            for (int at = 0; at < 5; at++)
            {
                holder.List.Add(new Touchy());
                holder.Map.Add(new Touchy(), new Touchy());
                holder.Concurrent.TryAdd(new Touchy(), at);
                holder.Sorted.Add("k" + at, new Touchy());
                holder.Set.Add(new Touchy());
            }
            var subject = new Subject(10000).Put("holder", holder);
            calls = 0;
            for (int round = 0; round < 200; round++)
            {
                holder.Touchy.Number = round;
                subject.State(round % 50 == 0);
            }
            Check.That("all of it is shown", subject.State().ContainsKey("holder.Map[4].value.Number"));
            Check.That("found", subject.Reader.Find("holder.Map[4].value") is Touchy);
            subject.Reader.Flatten(holder, 1000);
            Check.Same("calls", 0, calls);
        }

        public static void MutationsDuringTheWalk()
        {
            var holder = new Changing();
            var subject = new Subject(20000).Put("holder", holder);
            bool isOver = false;
            Exception broken = null;
            var threads = new List<Thread>();
            for (int number = 0; number < 2; number++)
            {
                int seed = number;
                var thread = new Thread(() =>
                {
                    var random = new Random(seed);
                    while (!Volatile.Read(ref isOver))
                    {
                        try
                        {
                            holder.Change(random);
                        }
                        catch (Exception)
                        {
                            // Collections that are not made for several threads may complain.
                        }
                    }
                }) { IsBackground = true };
                threads.Add(thread);
                thread.Start();
            }
            try
            {
                for (int round = 0; round < 100; round++) subject.State(round % 40 == 39);
            }
            catch (Exception thrown)
            {
                broken = thrown;
            }
            Volatile.Write(ref isOver, true);
            foreach (Thread thread in threads) thread.Join(10000);
            if (broken != null) throw new Exception("while it changed", broken);
            Check.Same("at rest", Subject.All(subject.State()), Subject.All(subject.State()));
        }

        sealed class Changing
        {
            public List<string> List = new List<string>();
            public List<int> Numbers = new List<int>();
            public Dictionary<string, object> Map = new Dictionary<string, object>();
            public HashSet<int> Set = new HashSet<int>();
            public Queue Queue = new Queue();
            public LinkedList<int> Links = new LinkedList<int>();
            public SortedDictionary<int, int> Sorted = new SortedDictionary<int, int>();
            public ConcurrentDictionary<int, string> Concurrent = new ConcurrentDictionary<int, string>();
            public ConcurrentQueue<int> Waiting = new ConcurrentQueue<int>();
            public ConcurrentBag<int> Bag = new ConcurrentBag<int>();
            public ConcurrentStack<int> Stack = new ConcurrentStack<int>();
            public System.Text.StringBuilder Text = new System.Text.StringBuilder();
            public Guid Id;
            public decimal Price;

            internal void Change(Random random)
            {
                int number = random.Next(500);
                bool adds = random.Next(2) == 0;
                string taken;
                int one;
                switch (random.Next(13))
                {
                    case 0: if (adds || List.Count == 0) List.Add("t" + number); else if (List.Count > 300) List.Clear(); else List.RemoveAt(0); break;
                    case 1: if (adds) Numbers.Insert(0, number); else if (Numbers.Count > 300) Numbers = new List<int>(); break;
                    case 2: lock (Map) if (adds) Map["k" + number] = new Box { It = number }; else Map.Remove("k" + number); break;
                    case 3: lock (Set) if (adds) Set.Add(number); else Set.Remove(number); break;
                    case 4: lock (Queue) if (adds || Queue.Count == 0) Queue.Enqueue(number); else Queue.Dequeue(); break;
                    case 5: lock (Links) if (adds || Links.Count == 0) Links.AddFirst(number); else Links.RemoveLast(); break;
                    case 6: lock (Sorted) if (adds) Sorted[number] = number; else Sorted.Remove(number); break;
                    case 7: if (adds) Concurrent[number] = "c"; else Concurrent.TryRemove(number, out taken); break;
                    case 8: if (adds) Waiting.Enqueue(number); else Waiting.TryDequeue(out one); break;
                    case 9: if (adds) Bag.Add(number); else Bag.TryTake(out one); break;
                    case 10: if (adds) Stack.Push(number); else Stack.TryPop(out one); break;
                    case 11: lock (Text) if (adds) Text.Append("abc"); else Text.Clear(); break;
                    case 12: Id = Guid.NewGuid(); Price += 1.1m; break;
                }
            }
        }

        public static void HeldLocksDoNotMatter()
        {
            var holder = new Changing();
            holder.Concurrent[1] = "c";
            holder.Map["k"] = 1;
            var subject = new Subject(1000).Put("holder", holder);
            var taken = new ManualResetEventSlim();
            var done = new ManualResetEventSlim();
            var thread = new Thread(() =>
            {
                lock (holder) lock (holder.Map) lock (holder.Concurrent)
                {
                    taken.Set();
                    done.Wait();
                }
            }) { IsBackground = true };
            thread.Start();
            taken.Wait();
            Check.That("it is read", subject.State().Count > 10);
            done.Set();
            thread.Join();
        }

        public static void NothingIsKeptAlive()
        {
            var shop = new Box { It = new List<Box>() };
            var subject = new Subject(1000).Put("shop", shop);
            WeakReference gone = Add(shop);
            subject.State();
            subject.State();
            Remove(shop);
            // The stack may still hold what was there.
            for (int round = 0; round < 20 && gone.IsAlive; round++)
            {
                Overwrite(round);
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
            Check.That("it can be collected", !gone.IsAlive);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static WeakReference Add(Box shop)
        {
            var thing = new Box { It = new object[] { new Box() } };
            ((List<Box>)shop.It).Add(thing);
            return new WeakReference(thing);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Remove(Box shop)
        {
            ((List<Box>)shop.It).Clear();
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static int Overwrite(int depth)
        {
            return depth <= 0 ? 0 : 1 + Overwrite(depth - 1);
        }

        public static void LongChainsEnd()
        {
            var list = new LinkedList<int>();
            for (int at = 0; at < 300000; at++) list.AddLast(at);
            var stack = new ConcurrentStack<int>();
            for (int at = 0; at < 300000; at++) stack.Push(at);
            var subject = new Subject(1000).Put("list", list).Put("stack", stack);
            Dictionary<string, object> state = subject.State();
            Check.Same("length", 300000L, state["list.length"]);
            Check.Same("length", 300000L, state["stack.length"]);
            Check.That("cap", state.Count <= 1000);
        }

        public static void LongTextsCountAsMore()
        {
            var texts = new List<string>();
            for (int at = 0; at < 30000; at++) texts.Add(at + new string('ü', 4000));
            var subject = new Subject(200000).Put("texts", texts);
            subject.State();
            Check.That("bounded: " + subject.LastText.Length, subject.LastText.Length < 40 * 1024 * 1024);
            Check.That("coverage " + subject.Last.Coverage, subject.Last.Coverage < 1);
        }
    }
}
