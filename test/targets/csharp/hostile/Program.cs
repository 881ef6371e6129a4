using System;
using System.Collections;
using System.Collections.Generic;
using System.Threading;

namespace Hostile
{
    /// <summary>Each call of one of these is told on the console.</summary>
    public class Touchy : IEnumerable<int>, IEquatable<Touchy>
    {
        public int Held = 7;
        public Touchy Next;
        public int Getter { get { throw Told("a getter"); } }
        public override string ToString() { throw Told("ToString"); }
        public override bool Equals(object other) { throw Told("Equals"); }
        public bool Equals(Touchy other) { throw Told("Equals of its own type"); }
        public override int GetHashCode() { throw Told("GetHashCode"); }
        public IEnumerator<int> GetEnumerator() { throw Told("GetEnumerator"); }
        IEnumerator IEnumerable.GetEnumerator() { throw Told("GetEnumerator"); }
        public int Count { get { throw Told("Count"); } }

        internal static Exception Told(string what)
        {
            Console.WriteLine("called: " + what);
            return new InvalidOperationException(what);
        }
    }

    /// <summary>A list of the framework with a hostile subclass.</summary>
    public sealed class OddList : List<int>
    {
        public new int Count { get { throw Touchy.Told("Count of a list"); } }
    }

    /// <summary>Nobody has used it: its initialiser must not run, and would end badly.</summary>
    public static class NeverUsed
    {
        public static readonly int Value = Explode();
        static int Explode() { throw Touchy.Told("a type initialiser"); }
    }

    /// <summary>Its initialiser threw: every touch throws again.</summary>
    public static class Broken
    {
        public static int Value = 4;
        static Broken() { throw new InvalidOperationException("broken"); }
    }

    public static class World
    {
        public static readonly Touchy Touchy = new Touchy();
        public static readonly Dictionary<Touchy2, int> ByTouchy = new Dictionary<Touchy2, int>(new Blind()) { { new Touchy2(), 5 } };
        public static readonly OddList Odd = new OddList { 1, 2, 3 };
        public static readonly object[] Circle = new object[2];
        public static readonly List<int> Million = new List<int>(new int[1000000]);
        public static readonly Dictionary<int, string> Busy = new Dictionary<int, string>();
        public static readonly Guarded Guarded = new Guarded();
        public static string Long = new string('x', 1 << 20);
        public static readonly IntPtr Handle = new IntPtr(12345);
        public static unsafe int* Wild = (int*)0x10;
        static readonly object Lock = new object();
        static volatile bool isOver;

        public static int Blocked()
        {
            lock (Lock) return Guarded.Held;
        }

        public static int Main()
        {
            Circle[0] = Circle;
            Circle[1] = Touchy;
            Touchy last = Touchy;
            for (int depth = 0; depth < 100000; depth++) last = last.Next = new Touchy();
            try { Touch(); } catch (TypeInitializationException) { }
            new Thread(Hold) { IsBackground = true }.Start();
            var churn = new Thread(Churn) { IsBackground = true };
            churn.Start();
            Console.WriteLine("ready");
            while (Console.Read() != 'q') Thread.Sleep(10);
            // Mono 6.8 on arm64 crashes in one of eight ends while another thread is running, with and without a look.
            isOver = true;
            churn.Join();
            return 3;
        }

        static void Touch()
        {
            Console.WriteLine(Broken.Value);
        }

        static void Hold()
        {
            lock (Lock)
            lock (Guarded)
            lock (Touchy)
            lock (Busy)
            lock (typeof(World)) Thread.Sleep(Timeout.Infinite);
        }

        /// <summary>Changes a dictionary all the time, without a lock: whoever reads it must cope.</summary>
        static void Churn()
        {
            for (int round = 0; !isOver; round++)
            {
                for (int key = 0; key < 500; key++) Busy[key * 7 + round % 5] = "value " + key;
                Busy.Clear();
            }
        }
    }

    public sealed class Guarded
    {
        public int Held = 2;
    }

    public sealed class Touchy2
    {
        public override bool Equals(object other) { throw Touchy.Told("Equals of a key"); }
        public override int GetHashCode() { throw Touchy.Told("GetHashCode of a key"); }
        public override string ToString() { throw Touchy.Told("ToString of a key"); }
    }

    sealed class Blind : IEqualityComparer<Touchy2>
    {
        public bool Equals(Touchy2 one, Touchy2 other) { return ReferenceEquals(one, other); }
        public int GetHashCode(Touchy2 key) { return 1; }
    }
}
