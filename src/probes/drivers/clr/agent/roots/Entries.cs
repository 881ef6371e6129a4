using System;
using System.Collections.Generic;

namespace Substrate.Roots
{
    // The elements of the framework's collections, read by their fields: they may be changed meanwhile.
    static class Entries
    {
        const int Max = 10000;

        // The elements of a list or an array; the values of a dictionary.
        internal static List<object> ValuesOf(object collection)
        {
            var values = new List<object>();
            if (collection == null) return values;
            object tables = FieldAccess.Get(collection, "_tables", "m_tables");
            var buckets = FieldAccess.Get(tables, "_buckets", "m_buckets") as Array;
            var entries = FieldAccess.Get(collection, "_entries", "entries") as Array;
            var items = collection as Array ?? FieldAccess.Get(collection, "_items") as Array;
            if (buckets != null) Nodes(buckets, values);
            else if (entries != null) Each(entries, values, "value");
            else if (items != null) Each(items, values, null);
            return values;
        }

        static void Each(Array items, List<object> values, string field)
        {
            int end = Math.Min(items.Length, Max);
            for (int at = 0; at < end; at++)
            {
                object item = items.GetValue(at);
                object value = field == null ? item : FieldAccess.Get(item, field);
                if (value != null) values.Add(value);
            }
        }

        static void Nodes(Array buckets, List<object> values)
        {
            int left = Max;
            foreach (object bucket in buckets)
                for (object node = FieldAccess.Get(bucket, "_node") ?? bucket; node != null && left-- > 0;)
                {
                    object value = FieldAccess.Get(node, "_value", "m_value");
                    if (value != null) values.Add(value);
                    node = FieldAccess.Get(node, "_next", "m_next");
                }
        }
    }
}
