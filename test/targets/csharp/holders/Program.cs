using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Holders
{
    public sealed class Basket
    {
        public int Apples = 3;
        public List<string> Notes = new List<string> { "fresh" };
    }

    /// <summary>Its initialiser runs before anything else is asked of it.</summary>
    public static class Exact
    {
        public static Basket Basket;
        static Exact() { Basket = new Basket(); }
        public static void Use() { Basket.Apples++; }
    }

    /// <summary>The runtime may run its initialiser when it likes, but must when a field is read.</summary>
    public static class Loose
    {
        public static Basket Basket = new Basket();
        public static int Seven = int.Parse("7");
    }

    public static class Plain
    {
        public static int Count;
        public static Basket Basket;
    }

    /// <summary>Without an initialiser, and nobody uses it.</summary>
    public static class Unused
    {
        public static int Count;
        public static Basket Basket;
    }

    public enum Colour { Red, Green }

    public static class Constants
    {
        public const int Answer = 42;
    }

    /// <summary>Nobody uses these: whoever runs their initialisers is told of.</summary>
    public static class ExactTrap
    {
        public static Basket Basket;
        static ExactTrap() { Basket = Trap.Spring(); }
    }

    public static class LooseTrap
    {
        public static Basket Basket = Trap.Spring();
    }

    /// <summary>Objects of it are made, but its static fields are not asked for.</summary>
    public sealed class InstanceTrap
    {
        public static Basket Basket = Later.IsAllowed ? new Basket() : Trap.Spring();
        public int Size = 1;
    }

    public static class BadTrap
    {
        public static Basket Basket;
        static BadTrap()
        {
            Trap.Spring();
            throw new InvalidOperationException("the initialiser was run");
        }
    }

    static class Trap
    {
        internal static Basket Spring()
        {
            Console.WriteLine("trap");
            return new Basket();
        }
    }

    /// <summary>Used only when the program is told to.</summary>
    public static class Late
    {
        public static Basket Basket = Make();
        static Basket Make()
        {
            if (!Later.IsAllowed) Trap.Spring();
            return new Basket { Apples = 11 };
        }
    }

    static class Later
    {
        internal static bool IsAllowed;
    }

    public sealed class Counter
    {
        public int Beats;
        public void Beat(object state) { Beats++; }
    }

    public sealed class Alarm
    {
        public int Rings;
        public void Ring(object sender, System.Timers.ElapsedEventArgs happened) { Rings++; }
    }

    public sealed class Watcher
    {
        public string Watches;
        public void Exit(object sender, EventArgs happened) { }
        public void Cancel(object sender, ConsoleCancelEventArgs happened) { }
    }

    public sealed class Poller : IDisposable
    {
        public int Polls;
        volatile bool isOver;

        public void Dispose() { isOver = true; }

        public async Task Run()
        {
            var history = new List<int>();
            var log = new Basket { Apples = 21 };
            while (!isOver)
            {
                await Task.Delay(30);
                history.Add(++Polls);
                if (history.Count > 5) history.Clear();
                log.Apples++;
            }
        }
    }

    /// <summary>Holds its state in all the ways in which a field of an object is not needed for it.</summary>
    public static class Program
    {
        /// <summary>Else a timer is collected; what it calls is not to be found here.</summary>
        static readonly WeakReference[] Kept = new WeakReference[4];
        static WeakReference polling;

        public static int Main()
        {
            Exact.Use();
            Plain.Count = 2;
            if (Loose.Seven != 7) return 1;
            Begin();
            Console.WriteLine("ready");
            for (int read = Console.Read(); read != 'q'; read = Console.Read())
            {
                if (read != 'l')
                {
                    Thread.Sleep(10);
                    continue;
                }
                Later.IsAllowed = true;
                UseLate();
            }
            End();
            return 3;
        }

        /// <summary>Mono aborts the thread of its timers when a program ends, and seldom fails with 1 by that if there are any.</summary>
        static void End()
        {
            foreach (var one in Kept)
            {
                var timer = one.Target as IDisposable;
                if (timer != null) timer.Dispose();
            }
            var task = polling.Target as Task;
            if (task != null) task.Wait();
        }

        /// <summary>Mono runs an initialiser when it compiles a method that needs it.</summary>
        [MethodImpl(MethodImplOptions.NoInlining)]
        static void UseLate()
        {
            Console.WriteLine("late: " + Late.Basket.Apples);
        }

        static void Begin()
        {
            var beats = new Timer(new Counter().Beat, null, 10, 10);
            var basket = new Basket { Apples = 31 };
            int turns = 0;
            var turner = new Timer(
                ignored =>
                {
                    turns++;
                    basket.Apples++;
                },
                null, 10, 10);
            var alarm = new System.Timers.Timer(10);
            alarm.Elapsed += new Alarm().Ring;
            alarm.Start();
            AppDomain.CurrentDomain.ProcessExit += new Watcher { Watches = "the end" }.Exit;
            Console.CancelKeyPress += new Watcher { Watches = "the keys" }.Cancel;
            var poller = new Poller();
            polling = new WeakReference(poller.Run());
            System.Runtime.InteropServices.GCHandle.Alloc(beats);
            System.Runtime.InteropServices.GCHandle.Alloc(turner);
            Kept[0] = new WeakReference(alarm);
            Kept[1] = new WeakReference(beats);
            Kept[2] = new WeakReference(turner);
            Kept[3] = new WeakReference(poller);
        }
    }
}

/// <summary>The same in the place of another program, which was told of this assembly when it was started.</summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        Environment.Exit(Holders.Program.Main());
    }
}
