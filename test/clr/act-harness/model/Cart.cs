using System.Collections.Generic;

namespace Example
{
    public class Cart
    {
        readonly List<string> items = new List<string>();
        readonly string owner;
        bool isOpen = true;

        public Cart(string owner)
        {
            this.owner = owner;
        }

        public string Title { get; set; }
        public int Total { get { return items.Count; } }
        public int Hidden { get; private set; }
        public string this[int at] { get { return items[at]; } set { items[at] = value; } }
        public string URLPath { get; set; }
        public event System.EventHandler Changed;

        public int AddItem(string sku, int quantity)
        {
            for (int at = 0; at < quantity; at++) items.Add(sku);
            return items.Count;
        }

        public void SetOpen(bool open)
        {
            isOpen = open;
        }

        public bool Open { get { return isOpen; } set { isOpen = value; Hidden++; } }
        public string GetOwner() { return owner; }
        public int GetTotal() { return items.Count * 1; }
        public void Hook() { }
        public string Find(int id) { return "number " + id; }
        public string Find(string name) { return "name " + name; }
        public string Find(string name, int limit) { return "name " + name + " limit " + limit; }
        public string Under(string key) { return key + owner; }
        public string At(int index) { return items[index]; }
        public override string ToString() { return "cart"; }
        public void Handle(object sender, System.EventArgs args) { Changed(sender, args); }
        public void Run(System.Action what) { what(); }
        public void Swap(ref int one) { one = Hidden; }
        public T Any<T>(T value) { Hidden++; return value; }
        public void Dispose() { Hidden = 0; }
        internal void Internal() { Hidden = 1; }
    }
}
