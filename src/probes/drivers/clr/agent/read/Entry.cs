namespace Substrate.Read
{
    /// <summary>An entry of a dictionary; shown as `key` and `value` where the key is no text.</summary>
    sealed class Entry
    {
        internal readonly object Key;
        internal readonly object Value;

        internal Entry(object key, object value)
        {
            Key = key;
            Value = value;
        }
    }
}
