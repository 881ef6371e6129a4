using System;
using Substrate.Health;

namespace Substrate.Read
{
    // Knows the private fields of the framework's collections, on CoreCLR 3.1 to 10 and on Mono.
    sealed class Containers
    {
        const string Generic = "System.Collections.Generic.";
        const string Concurrent = "System.Collections.Concurrent.";
        const string Immutable = "System.Collections.Immutable.";
        readonly Shapes shapes;

        internal Containers(Shapes shapes)
        {
            this.shapes = shapes;
        }

        // The container for a type of the framework; null if it is not a known collection, or its fields are others.
        internal Container Of(Type type)
        {
            var layout = new Layout(type);
            Container found = Of(layout, Unwraps.NameOf(type));
            if (!layout.IsMissing) return found;
            Parts.Miss("collections", Unwraps.NameOf(type) + " is of an unknown version: its elements are not read");
            return null;
        }

        Container Of(Layout layout, string name)
        {
            const string Item = "<Item>k__BackingField|Item";
            switch (name)
            {
                case "System.Collections.ArrayList":
                case Generic + "List`1": return Array(layout, "_items", false);
                case "System.Collections.Stack":
                case Generic + "Stack`1": return Array(layout, "_array", true);
                case "System.Collections.Queue":
                case Generic + "Queue`1":
                    ArrayContainer ring = Array(layout, "_array", false);
                    ring.Head = layout.Field("_head");
                    return ring;
                case "System.Collections.SortedList":
                case Generic + "SortedList`2": return Arrays(layout, "keys", "values", layout.Field("_size"));
                case "System.Collections.Hashtable": return new HashtableContainer(layout);
                case "System.Collections.CollectionBase":
                case "System.Collections.ReadOnlyCollectionBase": return Inner(Container.List, layout, "_list|list");
                case "System.Collections.DictionaryBase": return Inner(Container.Map, layout, "_hashtable|hashtable");
                case "System.Collections.ObjectModel.Collection`1": return Inner(Container.List, layout, "items");
                case "System.Collections.Specialized.NameObjectCollectionBase": return new NamedContainer(layout);
                case "System.Collections.Specialized.ListDictionary":
                case "System.Collections.ListDictionaryInternal":
                    return Linked(layout, "head", layout.Field("count|_count"), "key", "value");
                case "Microsoft.FSharp.Collections.FSharpList`1": return Chain(layout, "head", "tail");
                case Generic + "Dictionary`2": return SlotContainer.OfDictionary(layout);
                case Generic + "HashSet`1": return SlotContainer.OfSet(layout);
                case Generic + "LinkedList`1": return Linked(layout, "head", layout.Field("count"), null, "item");
                // A view of another set would need comparisons.
                case Generic + "SortedSet`1":
                    return layout.Type.Name == "TreeSubSet" ? null
                        : TreeContainer.Of(layout, Container.Set, "count|_count", null, Item);
                case Generic + "SortedDictionary`2":
                    Accessor set = layout.Field("_set");
                    if (set == null) return null;
                    var tree = new Layout(set.Type);
                    Container inner = TreeContainer.Of(tree, Container.Map, "count|_count", new[] { Item, "key" },
                        Item, "value");
                    return tree.IsMissing ? null : new InnerContainer(Container.Map, shapes, set, inner);
                case Generic + "OrderedDictionary`2":
                    Accessor entries = layout.Field("_entries");
                    return new ArrayContainer(Container.Map, entries, layout.Field("_count"), layout.Cell(entries, "Value"))
                    {
                        KeyCell = layout.Cell(entries, "Key"),
                    };
                case Concurrent + "ConcurrentDictionary`2": return new BucketContainer(layout);
                case Concurrent + "ConcurrentQueue`1": return new RingsContainer(layout, true);
                case Concurrent + "ConcurrentBag`1": return new RingsContainer(layout, false);
                case Concurrent + "ConcurrentStack`1": return Linked(layout, "_head|m_head", null, null, "_value|m_value");
                case Immutable + "ImmutableList`1": return TreeContainer.Of(layout, Container.List, null, null, "_key");
                case Immutable + "ImmutableSortedSet`1":
                    return TreeContainer.Of(layout, Container.Set, null, null, "_key");
                case Immutable + "ImmutableSortedDictionary`2":
                    return TreeContainer.Of(layout, Container.Map, "_count", new[] { "_key" }, "_value");
                case Immutable + "ImmutableHashSet`1": return TreeContainer.OfHashes(layout, Container.Set);
                case Immutable + "ImmutableDictionary`2": return TreeContainer.OfHashes(layout, Container.Map);
                case Immutable + "ImmutableStack`1": return Chain(layout, "_head", "_tail");
                default:
                    bool isFrozen = name.StartsWith("System.Collections.Frozen.", StringComparison.Ordinal);
                    return isFrozen ? Frozen(layout) : null;
            }
        }

        // One reader for many frozen types with the same fields.
        static Container Frozen(Layout layout)
        {
            string name = layout.Type.Name;
            bool isMap = name.IndexOf("FrozenDictionary", StringComparison.Ordinal) >= 0;
            if (!isMap && name.IndexOf("FrozenSet", StringComparison.Ordinal) < 0) return null;
            if (name.StartsWith("Empty", StringComparison.Ordinal))
                return new EmptyContainer(isMap ? Container.Map : Container.Set);
            if (isMap) return Arrays(layout, "_keys", "_values", null);
            Accessor items = layout.Field("_items");
            return new ArrayContainer(Container.Set, items, null, layout.Cell(items));
        }

        static ArrayContainer Array(Layout layout, string array, bool isReversed)
        {
            Accessor elements = layout.Field(array);
            Accessor cell = layout.Cell(elements);
            return new ArrayContainer(Container.List, elements, layout.Field("_size"), cell) { IsReversed = isReversed };
        }

        static Container Arrays(Layout layout, string keys, string values, Accessor size)
        {
            Accessor names = layout.Field(keys);
            Accessor held = layout.Field(values);
            return new ArrayContainer(Container.Map, held, size, layout.Cell(held))
            {
                KeyArray = names,
                KeyCell = layout.Cell(names),
            };
        }

        static Container Linked(Layout layout, string first, Accessor count, string key, string value)
        {
            Accessor head = layout.Field(first);
            return new LinkedContainer(head, layout.In(head, "next|_next|m_next"), count,
                key == null ? null : layout.In(head, key), layout.In(head, value));
        }

        // Each node is a list itself.
        static Container Chain(Layout layout, string head, string tail)
        {
            return new LinkedContainer(null, layout.Field(tail), null, null, layout.Field(head));
        }

        Container Inner(int kind, Layout layout, string field)
        {
            return new InnerContainer(kind, shapes, layout.Field(field), null);
        }
    }

    // A type whose collections are always empty.
    sealed class EmptyContainer : Container
    {
        internal EmptyContainer(int kind) : base(kind, null) { }

        internal override void Each(object target, ITaker taker) { }
    }
}
