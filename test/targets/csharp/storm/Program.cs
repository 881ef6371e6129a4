using System;
using System.Collections.Generic;
using System.Threading;

namespace Storm
{
    /// <summary>Allocates for all it is worth, on several threads, so that the collector runs again and again.</summary>
    public static class Weather
    {
        public static int Drops;
        public static int Collections;
        public static volatile bool IsOver;
        static readonly List<byte[]> Kept = new List<byte[]>();

        public static void Blow()
        {
            while (!IsOver)
            {
                var puddle = new List<object>();
                for (int drop = 0; drop < 2000; drop++) puddle.Add(new object[] { drop, "drop " + drop });
                Interlocked.Add(ref Drops, puddle.Count);
                lock (Kept)
                {
                    Kept.Add(new byte[1000]);
                    if (Kept.Count > 200) Kept.Clear();
                }
            }
        }

        static void Count()
        {
            while (!IsOver)
            {
                Collections = GC.CollectionCount(0);
                Thread.Sleep(20);
            }
        }

        public static int Main()
        {
            var threads = new List<Thread> { new Thread(Count) };
            for (int thread = 0; thread < 3; thread++) threads.Add(new Thread(Blow));
            foreach (Thread thread in threads)
            {
                thread.IsBackground = true;
                thread.Start();
            }
            Console.WriteLine("blowing");
            while (Console.Read() != 'q') Thread.Sleep(20);
            IsOver = true;
            // Mono 6.8 on arm64 crashes in one of eight ends while another thread is running, with and without a look.
            foreach (Thread thread in threads) thread.Join();
            Console.WriteLine("over");
            return 0;
        }
    }
}

/// <summary>The same in the place of another program, which was told of this assembly when it was started.</summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        Environment.Exit(Storm.Weather.Main());
    }
}
