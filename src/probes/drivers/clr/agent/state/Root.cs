namespace Substrate.State
{
    // A place where state begins: the first segment of the paths below it.
    sealed class Root
    {
        internal readonly string Name;
        // For people: `static fields of Shop.Store`, `timer`, …
        internal readonly string Origin;
        // What stands for the name in the keys that clients see; empty: nothing does; null: the name itself.
        internal readonly string Label;
        // An object of the app, or a Record.
        internal readonly object Value;

        internal Root(string name, string origin, string label, object value)
        {
            Name = name;
            Origin = origin;
            Label = label;
            Value = value;
        }
    }
}
