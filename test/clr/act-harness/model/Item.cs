using System.Collections.Generic;

namespace Example
{
    public enum Status { New, Paid }

    [System.Flags]
    public enum Rights { None = 0, Read = 1, Write = 2 }

    /// <summary>Made of nothing, then filled.</summary>
    public class Item
    {
        public static int Made;
        public string Sku { get; set; }
        public decimal Price { get; set; }
        public Status? State { get; set; }
        public List<Item> Parts { get; set; }
        public int weight;
        public string Fixed { get { return "fixed"; } }

        public Item()
        {
            Made++;
        }

        internal string Text()
        {
            string state = State == null ? "none" : State.ToString();
            return Sku + " " + Price.ToString(System.Globalization.CultureInfo.InvariantCulture) + " " + state + " "
                + weight + " "
                + (Parts == null ? 0 : Parts.Count);
        }
    }

    /// <summary>Made by its constructor.</summary>
    public sealed class Address
    {
        readonly string street;
        readonly int number;
        public string Note { get; set; }

        public Address(string street, int number, string town = "Ely")
        {
            if (number < 0) throw new System.InvalidOperationException("no such house");
            this.street = street;
            this.number = number;
            Town = town;
        }

        public string Town { get; private set; }

        internal string Text()
        {
            return street + " " + number + " " + Town + Note;
        }
    }

    public struct Point
    {
        public int X;
        public int Y;
        public void Shift(int by) { X += by; }
    }

    public sealed class Secret
    {
        Secret() { }
    }
}
