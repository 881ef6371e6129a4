namespace Substrate.Act
{
    sealed class Parameter
    {
        internal readonly string Name;
        // string, number, boolean, object, array; null: any JSON value is taken.
        internal readonly string Type;
        internal readonly bool Required;
        // For people: `one of Open, Paid`, `a date such as 2024-05-31`, …; null: none.
        internal readonly string Description;

        internal Parameter(string name, string type, bool required, string description)
        {
            Name = name;
            Type = type;
            Required = required;
            Description = description;
        }
    }
}
