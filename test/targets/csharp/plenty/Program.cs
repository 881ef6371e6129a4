using System;
using System.Collections.Generic;
using System.Threading;

namespace Plenty
{
    public sealed class Item
    {
        public string Name;
        public int Count;
        public double Price;
        public bool Sold;
    }

    /// <summary>As much state as it is told, of four values each, and a little work: garbage, as all programs make it.</summary>
    public static class Program
    {
        static readonly List<Item> Items = new List<Item>();
        static Timer work;

        public static int Main(string[] args)
        {
            for (int at = 0; at < int.Parse(args[0]); at++)
                Items.Add(new Item { Name = "item " + at, Count = at, Price = at * 0.5 });
            // The room for new objects is as large as it gets.
            while (GC.CollectionCount(0) < 3) Work();
            work = new Timer(ignored => Work(), null, 0, 50);
            Console.WriteLine("ready");
            Console.Read();
            work.Dispose();
            return 0;
        }

        static void Work()
        {
            for (int at = 0; at < 4000; at++) GC.KeepAlive(new byte[100]);
        }
    }
}
