namespace Substrate.State
{
    /// <summary>A place where state begins: the first segment of the paths below it.</summary>
    sealed class Root
    {
        internal readonly string Name;
        /// <summary>For people: `static fields of Shop.Store`, `timer`, …</summary>
        internal readonly string Origin;
        /// <summary>
        /// What stands for the name in the keys that clients see; empty: nothing does; null: the name itself.
        /// </summary>
        internal readonly string Label;
        /// <summary>An object of the app, or a Record.</summary>
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
