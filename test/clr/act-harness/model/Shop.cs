using System;
using System.Collections.Generic;
using System.ComponentModel;

namespace Example
{
    /// <summary>The roots of the state that the tests look at.</summary>
    public sealed class Shop
    {
        public readonly List<Cart> carts = new List<Cart> { new Cart("ann"), new Cart("bob") };
        public readonly Dictionary<string, Cart> byOwner = new Dictionary<string, Cart>();
        public readonly Dictionary<string, Dictionary<string, Cart>> archive = new Dictionary<string, Dictionary<string,
            Cart>>();
        public readonly Kitchen kitchen = new Kitchen();
        public readonly Trouble trouble = new Trouble();
        public readonly Shelf shelf = new Shelf();
        public readonly Traps traps = new Traps();
        public readonly Chooser chooser = new Chooser();
        public readonly Grid grid = new Grid();
        internal readonly Hidden hidden = new Hidden();
        internal readonly Ticker ticker = new Ticker();

        public Shop()
        {
            byOwner["ann"] = carts[0];
            byOwner["odd key"] = carts[1];
            archive["2024"] = new Dictionary<string, Cart> { { "may", new Cart("old") } };
        }
    }

    public interface INamed
    {
        string Name { get; }
    }

    /// <summary>Not public itself, with public methods.</summary>
    class Hidden : Base<Item>, INamed
    {
        public string Name { get { return "hidden"; } }
        public string Greet(string who) { return "hello " + who; }
        public static int Unseen() { return 1; }
        protected void Guarded() { kept = null; }
        void Secret() { kept = null; }
    }

    abstract class Base<T>
    {
        internal T kept;

        public T Keep(T thing)
        {
            kept = thing;
            return thing;
        }

        public override string ToString() { return "base"; }
    }

    interface ISpring
    {
        int Force();
    }

    sealed class Ticker : IComparable<Ticker>, IFormattable, ITickListener
    {
        int ticks;
        public int CompareTo(Ticker other) { return ticks++; }
        public string ToString(string format, IFormatProvider provider) { return "" + ticks++; }
        public void Tick() { ticks++; }
        public void Ticked(int times) { ticks += times; }
        /// <summary>Nothing in the state is one, and JSON makes none.</summary>
        public void Wind(ISpring spring) { ticks += spring.Force(); }
        public void Lock(Secret secret) { ticks = secret == null ? 0 : 1; }
    }

    interface ITickListener
    {
        void Ticked(int times);
    }

    public static class Statics
    {
        static int level = 3;
        static readonly Dictionary<string, int> Table = new Dictionary<string, int> { { "a", 1 } };
        public static string Mode { get; set; }
        public static int Raise(int by) { return level += by; }
        public static int Twice(int value) { return 2 * value; }
        public static int Look(string name) { return Table[name]; }
    }

    public sealed class Chooser
    {
        public string Pick(int value) { return "int"; }
        public string Pick(long value) { return "long"; }
        public string Pick(double value) { return "double"; }
        public string Pick(string value) { return "text"; }
        public string Pick(List<string> value) { return "list"; }
        public string Pick(object value) { return "any"; }
        public string Either(int one, long other) { return "a"; }
        public string Either(long one, int other) { return "b"; }
    }

    /// <summary>Belongs to a thread, as a control of a window does.</summary>
    public sealed class Grid : ISynchronizeInvoke
    {
        readonly System.Collections.Concurrent.BlockingCollection<Delegate> work =
            new System.Collections.Concurrent.BlockingCollection<Delegate>();
        readonly System.Threading.ManualResetEvent gate = new System.Threading.ManualResetEvent(false);
        System.Threading.Thread own;
        volatile bool isClosed;

        public void Begin()
        {
            own = new System.Threading.Thread(() =>
                { foreach (Delegate each in work.GetConsumingEnumerable()) each.DynamicInvoke(); });
            own.IsBackground = true;
            own.Name = "window";
            own.Start();
        }

        public bool InvokeRequired { get { return own != null && System.Threading.Thread.CurrentThread != own; } }
        public IAsyncResult BeginInvoke(Delegate method, object[] args)
        {
            if (isClosed) throw new InvalidOperationException("closed");
            work.Add(method);
            return null;
        }
        public void Close() { isClosed = true; }
        public object EndInvoke(IAsyncResult result) { return null; }
        public object Invoke(Delegate method, object[] args) { throw new NotSupportedException(); }
        public bool IsOnOwnThread(int ignored) { return System.Threading.Thread.CurrentThread == own; }
        public void Fail(string why) { throw new InvalidOperationException(why); }
        public void Block(int ignored) { gate.WaitOne(); }
        internal void Release() { gate.Set(); }
    }
}
