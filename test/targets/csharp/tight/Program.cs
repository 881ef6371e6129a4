using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.IO.MemoryMappedFiles;
using System.Threading;

namespace Tight
{
    public sealed class Item
    {
        public string Name;
        public int Count;
        public double Price;
        public bool Sold;
    }

    public sealed class Stock
    {
        public readonly List<Item> Items = new List<Item>();
        public long Changes;
    }

    /// <summary>
    /// Never pauses by itself: each gap between two looks at the clock is somebody else's doing. Arguments: leaves, megabytes of
    /// other objects, a file: its first 8 bytes hold the longest gap in ns (whoever wants to measure anew writes zeros there),
    /// the next 8 what is alive on the heap. With each line on standard input two values change; `g` collects garbage first.
    /// </summary>
    public static class Program
    {
        static readonly Stock Stock = new Stock();

        public static int Main(string[] args)
        {
            for (int at = 0; at * 4 < int.Parse(args[0]); at++)
                Stock.Items.Add(new Item { Name = "item " + at, Count = at, Price = at * 0.5 });
            var ballast = new object[int.Parse(args[1])];
            for (int at = 0; at < ballast.Length; at++) ballast[at] = Chain(1024 * 1024 / 24);
            using (MemoryMappedFile file = MemoryMappedFile.CreateFromFile(args[2], FileMode.Open))
            using (MemoryMappedViewAccessor told = file.CreateViewAccessor(0, 16))
            {
                new Thread(() => ChangeWhenTold(told)) { IsBackground = true }.Start();
                Console.WriteLine("ready");
                double nanoseconds = 1e9 / Stopwatch.Frequency;
                for (long before = Stopwatch.GetTimestamp(); ;)
                {
                    long now = Stopwatch.GetTimestamp();
                    var gap = (long)((now - before) * nanoseconds);
                    if (gap > 100000 && gap > told.ReadInt64(0)) told.Write(0, gap);
                    before = now;
                    if (ballast.Length < 0) return 1;
                }
            }
        }

        static object[] Chain(int length)
        {
            object[] head = null;
            for (int at = 0; at < length; at++) head = new object[] { head };
            return head;
        }

        static void ChangeWhenTold(MemoryMappedViewAccessor told)
        {
            for (int read = Console.Read(); read >= 0; read = Console.Read())
            {
                if (read == 'g') told.Write(8, GC.GetTotalMemory(true));
                if (read != '\n') continue;
                Stock.Changes++;
                Stock.Items[Stock.Items.Count / 2].Count++;
            }
        }
    }
}
