using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;

namespace Harness
{
    /// <summary>How long a capture takes; for people. Arguments: `bench`, numbers of leaves.</summary>
    static class Bench
    {
        enum Status
        {
            New,
            Paid,
        }

        sealed class Order
        {
            public long Id;
            public string Customer;
            public double Total;
            public decimal Price = 3.5m;
            public bool Paid;
            public DateTime When = new DateTime(2024, 1, 1);
            public string City { get; set; }
            public Status Status;
            public Dictionary<string, object> Extra = new Dictionary<string, object>();
        }

        sealed class Shop
        {
            public List<Order> Orders = new List<Order>();
        }

        internal static void Run(string[] names)
        {
            for (int at = 1; at < names.Length; at++)
            {
                int leaves = int.Parse(names[at]);
                var shop = new Shop();
                for (int order = 0; order < leaves / 10; order++) shop.Orders.Add(Make(order));
                var subject = new Subject(400000).Put("shop", shop);
                Stopwatch watch = Stopwatch.StartNew();
                subject.Reader.Capture(true, false);
                Console.WriteLine(leaves + " leaves, first " + watch.ElapsedMilliseconds + " ms, coverage " + subject.Reader.Capture(false, false).Coverage);
                Print("  full", subject, 10, true, null);
                Print("  unchanged", subject, 100, false, null);
                Print("  one change", subject, 50, false, () => shop.Orders[shop.Orders.Count / 2].Total++);
                Print("  insert at the front", subject, 20, false, () =>
                {
                    shop.Orders.Insert(0, Make(7));
                    shop.Orders.RemoveAt(shop.Orders.Count - 1);
                });
            }
        }

        static Order Make(int at)
        {
            var order = new Order { Id = at, Customer = "customer " + at, City = "Berlin" };
            order.Extra.Add("note", "n" + at);
            return order;
        }

        static void Print(string what, Subject subject, int rounds, bool full, Action change)
        {
            MethodInfo allocated = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread", Type.EmptyTypes);
            var times = new List<double>();
            long bytes = 0;
            for (int round = 0; round < rounds; round++)
            {
                if (change != null) change();
                long before = allocated == null ? 0 : (long)allocated.Invoke(null, null);
                Stopwatch watch = Stopwatch.StartNew();
                subject.Reader.Capture(full, false);
                if (round >= rounds / 2) times.Add(watch.Elapsed.TotalMilliseconds);
                bytes = allocated == null ? 0 : (long)allocated.Invoke(null, null) - before;
            }
            times.Sort();
            Console.WriteLine(what + ": median " + times[times.Count / 2].ToString("0.00") + " ms, allocated " + bytes + " bytes");
        }
    }
}
