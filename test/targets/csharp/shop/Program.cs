using System;
using System.Collections.Generic;
using System.Threading;

namespace Coffee
{
    /// <summary>What a static field holds.</summary>
    public static class Counter
    {
        public static CoffeeShop Shop;
    }

    /// <summary>What only a running thread holds.</summary>
    public sealed class Barista
    {
        public string Name = "Nora";
        public int Shifts;
        readonly List<string> orders = new List<string>();

        public void Order(string drink)
        {
            lock (orders)
            {
                orders.Add(drink);
                Monitor.Pulse(orders);
            }
        }

        public void Work()
        {
            for (;;)
            {
                string drink;
                lock (orders)
                {
                    while (orders.Count == 0) Monitor.Wait(orders);
                    drink = orders[0];
                    orders.RemoveAt(0);
                }
                Counter.Shop.Serve(drink);
                Shifts++;
            }
        }
    }

    public static class Program
    {
        /// <summary>`o` orders an espresso, `q` ends the program with code 7.</summary>
        public static int Main()
        {
            Counter.Shop = new CoffeeShop("Corner Café", new DateTime(2019, 5, 17, 8, 30, 0, DateTimeKind.Utc));
            Counter.Shop.Welcome("Ada", Status.Regular);
            Counter.Shop.Welcome("Grace");
            Counter.Shop.Price("espresso", 2.2m);
            Counter.Shop.Price("flat white", 3.4m);
            var barista = new Barista();
            new Thread(barista.Work) { IsBackground = true, Name = "barista" }.Start();
            Console.WriteLine("open");
            for (int letter = Console.Read(); letter != 'q'; letter = Console.Read())
            {
                if (letter == 'o') barista.Order("espresso");
                if (letter < 0) Thread.Sleep(Timeout.Infinite);
            }
            Console.WriteLine("closed after " + Counter.Shop.Served);
            return 7;
        }
    }
}

/// <summary>The same in the place of another program, which was told of this assembly when it was started.</summary>
internal static class StartupHook
{
    public static void Initialize()
    {
        Environment.Exit(Coffee.Program.Main());
    }
}
