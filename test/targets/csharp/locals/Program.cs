using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Locals
{
    public sealed class Entry
    {
        public string Text;
        public Ledger Book;
    }

    /// <summary>Each of its entries knows it: of all these it is the beginning.</summary>
    public sealed class Ledger
    {
        public int Turns;
        public readonly List<Entry> Entries = new List<Entry>();

        public Ledger()
        {
            for (int at = 0; at < 40; at++) Entries.Add(new Entry { Text = "entry " + at, Book = this });
        }
    }

    public sealed class Journal
    {
        public int Days;
    }

    public sealed class Parcel
    {
        public int Weight = 5;
    }

    public sealed class Worker
    {
        public int Rounds;

        public void Work()
        {
            while (!Program.IsOver)
            {
                Rounds++;
                Thread.Sleep(5);
            }
            Interlocked.Decrement(ref Program.Running);
        }
    }

    public static class Weather
    {
        public static int Collections;
        public static int LongestPauseMs;

        /// <summary>Its entries are gone with their keys: whoever reads them otherwise than it wants may find anything.</summary>
        public static readonly ConditionalWeakTable<object, object> Notes = new ConditionalWeakTable<object, object>();

        internal static void Blow()
        {
            var kept = new object[500];
            for (int drop = 0; !Program.IsOver; drop++)
            {
                kept[drop % kept.Length] = new byte[drop % 3000];
                if (drop % 10 == 0) Notes.Add(new object(), new object());
                if (drop % 1000 == 0) Thread.Sleep(1);
            }
            Interlocked.Decrement(ref Program.Running);
        }

        /// <summary>How long nothing went on at all.</summary>
        internal static void Watch()
        {
            var watch = System.Diagnostics.Stopwatch.StartNew();
            while (!Program.IsOver)
            {
                Thread.Sleep(1);
                LongestPauseMs = Math.Max(LongestPauseMs, (int)watch.ElapsedMilliseconds);
                watch.Restart();
                Collections = GC.CollectionCount(0);
            }
            Interlocked.Decrement(ref Program.Running);
        }
    }

    /// <summary>Keeps its state in variables of methods that run.</summary>
    public static class Program
    {
        internal static volatile bool IsOver;
        /// <summary>Threads, besides the one that listens.</summary>
        internal static int Running = 4;

        public static int Main()
        {
            new Thread(Listen) { IsBackground = true }.Start();
            for (int at = 0; at < 2; at++) new Thread(Weather.Blow) { IsBackground = true }.Start();
            new Thread(Weather.Watch) { IsBackground = true }.Start();
            new Thread(new Worker().Work) { IsBackground = true }.Start();
            var never = new TaskCompletionSource<int>();
            GCHandle.Alloc(never);
            Wait(never.Task);
            int code = Keep();
            // Mono 6.8 on arm64 crashes in one of eight ends while another thread is running, with and without a look.
            while (Volatile.Read(ref Running) > 0) Thread.Sleep(1);
            return code;
        }

        static int Keep()
        {
            var ledger = new Ledger();
            var parcels = new List<Parcel> { new Parcel(), new Parcel { Weight = 6 } };
            Console.WriteLine("ready");
            while (!IsOver)
            {
                ledger.Turns++;
                Thread.Sleep(5);
            }
            return parcels.Count + 1;
        }

        static void Listen()
        {
            while (Console.Read() != 'q') Thread.Sleep(10);
            IsOver = true;
        }

        /// <summary>For something that no timer and no thread leads to.</summary>
        static async Task Wait(Task<int> task)
        {
            var diary = new Journal { Days = 17 };
            await task;
            diary.Days++;
        }
    }
}

/// <summary>The same in the place of another program, which was told of this assembly when it was started.</summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        Environment.Exit(Locals.Program.Main());
    }
}
