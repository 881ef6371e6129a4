using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Coffee
{
    public sealed class CoffeeShop
    {
        readonly object door = new object();

        public CoffeeShop(string name, DateTime opened)
        {
            Name = name;
            Opened = opened;
            Prices = new Dictionary<string, decimal>();
            Guests = new List<Guest>();
        }

        public string Name { get; private set; }
        public DateTime Opened { get; private set; }
        public Dictionary<string, decimal> Prices { get; private set; }
        public List<Guest> Guests { get; private set; }
        public int Served { get; private set; }
        public string Motto { get; set; }

        public int Welcome(string guest, Status status = Status.New)
        {
            lock (door)
            {
                Guests.Add(new Guest(guest, status));
                return Guests.Count;
            }
        }

        public void Price(string drink, decimal euros)
        {
            lock (door) Prices[drink] = euros;
        }

        public int Serve(string drink)
        {
            lock (door)
            {
                if (!Prices.ContainsKey(drink)) throw new ArgumentException("we have no " + drink);
                return ++Served;
            }
        }

        public async Task<int> ServeSlowly(string drink, int milliseconds)
        {
            await Task.Delay(milliseconds);
            return Serve(drink);
        }

        public override string ToString()
        {
            throw new InvalidOperationException("nobody may ask");
        }
    }
}
