using System;
using System.Collections;
using System.Reflection;

namespace Substrate.Read
{
    // Elements in a chain of nodes; in a ring the last leads to the first again.
    sealed class LinkedContainer : Container
    {
        // Null if the target is the first node.
        readonly Accessor first;
        readonly Accessor next;
        readonly Accessor key;
        readonly Accessor value;

        internal LinkedContainer(Accessor first, Accessor next, Accessor count, Accessor key, Accessor value)
            : base(key == null ? List : Map, count)
        {
            this.first = first;
            this.next = next;
            this.key = key;
            this.value = value;
        }

        internal override void Each(object target, ITaker taker)
        {
            object start = first == null ? target : first.Get(target);
            object node = start;
            for (int steps = 0; node != null && steps < MaxSteps; steps++)
            {
                object after = next.Get(node);
                // Where each node is a list itself, the last one is empty.
                if (first == null && after == null) return;
                if (!taker.Take(key, node, value, node, 0) || after == start) return;
                node = after;
            }
        }
    }

    // Chains of nodes in the buckets of a table that is replaced when it grows: ConcurrentDictionary.
    sealed class BucketContainer : Container
    {
        readonly Accessor tables;
        readonly Accessor buckets;
        readonly Accessor counts;
        // The first node of a bucket.
        readonly Accessor cell;
        readonly Accessor next;
        readonly Accessor key;
        readonly Accessor value;

        internal BucketContainer(Layout layout) : base(Map, null)
        {
            tables = layout.Field("_tables|m_tables");
            buckets = layout.In(tables, "_buckets|m_buckets");
            counts = layout.In(tables, "_countPerLock|m_countPerLock");
            cell = buckets == null ? null : Accessor.Cell(buckets.Type, "_node") ?? layout.Cell(buckets);
            next = layout.In(cell, "_next|m_next");
            key = layout.In(cell, "_key|m_key");
            value = layout.In(cell, "_value|m_value");
        }

        internal override int Size(object target)
        {
            object now = tables.Get(target);
            var parts = now == null ? null : counts.Get(now) as int[];
            long size = 0;
            if (parts != null) foreach (int part in parts) size += part;
            return (int)Math.Max(0, Math.Min(int.MaxValue, size));
        }

        internal override void Each(object target, ITaker taker)
        {
            object now = tables.Get(target);
            var places = now == null ? null : buckets.Get(now) as Array;
            if (places == null) return;
            long steps = 2L * Size(target) + 65536;
            for (int at = 0; at < places.Length; at++)
                for (object node = cell.Get(places, at); node != null && steps-- > 0; node = next.Get(node))
                    if (!taker.Take(key, node, value, node, 0)) return;
        }

        internal override bool IsOrdered(object target)
        {
            return false;
        }
    }

    // Elements in a tree, from left to right: sorted and immutable collections.
    sealed class TreeContainer : Container
    {
        // More than the depth of any balanced tree.
        const int MaxDepth = 100;
        readonly Accessor root;
        readonly Accessor left;
        readonly Accessor right;
        // 0 in a node without an element; null if all nodes have one.
        readonly Accessor height;
        readonly Accessor key;
        readonly Accessor value;
        // Further elements of a bucket with the same hash, which are a tree of their own; otherwise null.
        Accessor more;
        TreeContainer others;

        // `node` holds nodes; it is the root unless the target is a node.
        TreeContainer(Layout layout, int kind, Accessor root, Accessor node, Accessor count, Accessor key, Accessor value)
            : base(kind, count)
        {
            this.root = root;
            left = layout.In(node, "<Left>k__BackingField|Left|_left");
            right = layout.In(node, "<Right>k__BackingField|Right|_right");
            height = node == null ? null : Accessor.Field(node.Type, "_height");
            this.key = key;
            this.value = value;
        }

        // `names`: fields of a node on the path to the key, or null, and to the value.
        internal static Container Of(Layout layout, int kind, string count, string[] key, params string[] value)
        {
            Accessor root = layout.Field("root|_root");
            return new TreeContainer(layout, kind, root, root, count == null ? null : layout.Field(count),
                key == null ? null : layout.In(root, key), layout.In(root, value));
        }

        // A tree of buckets by hash; a bucket with several elements has a list of the others.
        internal static Container OfHashes(Layout layout, int kind)
        {
            Accessor root = layout.Field("_root");
            Accessor more = layout.In(root, "_value", "_additionalElements");
            bool isMap = kind == Map;
            Accessor key = isMap ? layout.In(root, "_value", "_firstValue", "key") : null;
            Accessor value = isMap ? layout.In(root, "_value", "_firstValue", "value")
                : layout.In(root, "_value", "_firstValue");
            Accessor otherKey = isMap ? layout.In(more, "_key", "key") : null;
            Accessor otherValue = isMap ? layout.In(more, "_key", "value") : layout.In(more, "_key");
            var others = new TreeContainer(layout, kind, null, more, null, otherKey, otherValue);
            layout.Needed(others.height);
            return new TreeContainer(layout, kind, root, root, layout.Field("_count"), key, value)
            {
                more = more,
                others = others,
            };
        }

        internal override bool IsOrdered(object target)
        {
            return others == null;
        }

        internal override void Each(object target, ITaker taker)
        {
            Below(root == null ? target : root.Get(target), taker);
        }

        bool Below(object top, ITaker taker)
        {
            var path = new object[MaxDepth];
            int depth = 0;
            object node = top;
            for (int steps = 0; steps < MaxSteps; steps++)
            {
                while (IsNode(node) && depth < MaxDepth)
                {
                    path[depth++] = node;
                    node = left.Get(node);
                }
                if (depth == 0) return true;
                node = path[--depth];
                if (!taker.Take(key, node, value, node, 0)) return false;
                object further = more == null ? null : more.Get(node);
                if (further != null && !others.Below(further, taker)) return false;
                node = right.Get(node);
            }
            return true;
        }

        bool IsNode(object node)
        {
            return node != null && (height == null || height.Whole(node) > 0);
        }
    }

    // A collection that stores its elements in another one: Collection, and the app's classes derived from it.
    sealed class InnerContainer : Container
    {
        readonly Shapes shapes;
        readonly Accessor inner;
        // The container of the inner one; null if it may be of any type.
        readonly Container known;

        internal InnerContainer(int kind, Shapes shapes, Accessor inner, Container known) : base(kind, null)
        {
            this.shapes = shapes;
            this.inner = inner;
            this.known = known;
        }

        Container Of(object held)
        {
            return held == null ? null : known ?? shapes.ContainerOf(held);
        }

        internal override int Size(object target)
        {
            object held = inner.Get(target);
            Container container = Of(held);
            return container != null ? container.Size(held) : held == null && known != null ? 0 : Unknown;
        }

        internal override void Each(object target, ITaker taker)
        {
            object held = inner.Get(target);
            Container container = Of(held);
            if (container != null) container.Each(held, taker);
        }

        internal override bool IsOrdered(object target)
        {
            object held = inner.Get(target);
            Container container = Of(held);
            return container == null || container.IsOrdered(held);
        }
    }

    // Entries with a list of texts each: NameValueCollection. A list of one is shown as that text.
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
            // The field holds an ArrayList.
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
