using System;
using System.Collections;
using System.Reflection;

namespace Substrate.Read
{
    // Entries of which each has a list of texts: NameValueCollection. A list of one is shown as that text.
    sealed class NamedContainer : Container
    {
        sealed class Pair
        {
            internal object Name;
            internal object Held;
        }

        static readonly Accessor name = Accessor.Field(typeof(Pair), "Name");
        static readonly Accessor held = Accessor.Field(typeof(Pair), "Held");
        readonly Accessor entries;
        readonly Accessor items;
        readonly Accessor size;

        internal NamedContainer(Layout layout) : base(Map, null)
        {
            // Holds an ArrayList.
            entries = layout.Field("_entriesArray");
            items = layout.Needed(Accessor.Field(typeof(ArrayList), "_items"));
            size = layout.Needed(Accessor.Field(typeof(ArrayList), "_size"));
        }

        internal override int Size(object target)
        {
            object list = entries.Get(target);
            return list == null ? 0 : Math.Max(0, size.Whole(list));
        }

        internal override void Each(object target, ITaker taker)
        {
            object list = entries.Get(target);
            var array = list == null ? null : items.Get(list) as object[];
            if (array == null) return;
            int end = Math.Min(array.Length, size.Whole(list));
            for (int at = 0; at < end; at++)
            {
                if (array[at] == null) continue;
                var pair = new Pair { Name = Read(array[at], "Key"), Held = One(Read(array[at], "Value")) };
                if (!taker.Take(name, pair, held, pair, 0)) return;
            }
        }

        object One(object value)
        {
            if (value == null || value.GetType() != typeof(ArrayList) || size.Whole(value) != 1)
                return value;
            var array = items.Get(value) as object[];
            return array == null || array.Length == 0 ? value : array[0];
        }

        static object Read(object entry, string field)
        {
            FieldInfo found = Accessor.Find(entry.GetType(), field);
            return found == null ? null : found.GetValue(entry);
        }
    }
}
