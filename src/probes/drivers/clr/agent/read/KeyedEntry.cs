namespace Substrate.Read
{
    // An entry of a dictionary; shown as `key` and `value` where the key is no text.
    sealed class KeyedEntry
    {
        internal readonly object Key;
        internal readonly object Value;

        internal KeyedEntry(object key, object value)
        {
            Key = key;
            Value = value;
        }
    }
}
