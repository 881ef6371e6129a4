using System;
using System.Collections;

namespace Substrate.Read
{
    // Knows the private fields of the framework's collections, as they are on CoreCLR 3.1 to 10 and on Mono.
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

        // For a type of the framework; null: no collection that is known, or its fields are others.
        internal Container Of(Type type)
        {
            string name = Unwraps.NameOf(type);
            if (name.StartsWith(Generic, StringComparison.Ordinal))
                return OfGeneric(type, name.Substring(Generic.Length));
            if (name.StartsWith(Concurrent, StringComparison.Ordinal))
                return OfConcurrent(type, name.Substring(Concurrent.Length));
            if (name.StartsWith(Immutable, StringComparison.Ordinal))
                return OfImmutable(type, name.Substring(Immutable.Length));
            if (name.StartsWith("System.Collections.Frozen.", StringComparison.Ordinal)) return OfFrozen(type);
            switch (name)
            {
                case "System.Collections.ArrayList": return Array(type, "_items", "_size", false);
                case "System.Collections.Stack": return Array(type, "_array", "_size", true);
                case "System.Collections.Queue": return Ring(type);
                case "System.Collections.SortedList": return Arrays(type, "keys", "values", "_size");
                case "System.Collections.Hashtable": return Hashtable(type);
                case "System.Collections.CollectionBase":
                case "System.Collections.ReadOnlyCollectionBase": return Inner(Container.List, type, "_list|list");
                case "System.Collections.DictionaryBase": return Inner(Container.Map, type, "_hashtable|hashtable");
                case "System.Collections.ObjectModel.Collection`1": return Inner(Container.List, type, "items");
                case "System.Collections.Specialized.NameObjectCollectionBase": return Named(type);
                case "System.Collections.Specialized.ListDictionary":
                case "System.Collections.ListDictionaryInternal":
                    return Linked(Container.Map, type, "head", "count|_count", "key", "value");
                case "Microsoft.FSharp.Collections.FSharpList`1": return Chain(type, "head", "tail");
                default: return null;
            }
        }

        Container OfGeneric(Type type, string name)
        {
            switch (name)
            {
                case "List`1": return Array(type, "_items", "_size", false);
                case "Stack`1": return Array(type, "_array", "_size", true);
                case "Queue`1": return Ring(type);
                case "Dictionary`2": return Dictionary(type);
                case "HashSet`1": return HashSet(type);
                case "LinkedList`1": return Linked(Container.List, type, "head", "count", null, "item");
                case "SortedSet`1": return TreeContainers.Sorted(type);
                case "SortedDictionary`2": return TreeContainers.SortedDictionary(type);
                case "SortedList`2": return Arrays(type, "keys", "values", "_size");
                case "OrderedDictionary`2": return Entries(type);
                default: return null;
            }
        }

        static Container OfConcurrent(Type type, string name)
        {
            switch (name)
            {
                case "ConcurrentDictionary`2": return ConcurrentContainers.Buckets(type);
                case "ConcurrentQueue`1": return ConcurrentContainers.Segments(type);
                case "ConcurrentStack`1":
                    return Linked(Container.List, type, "_head|m_head", null, null, "_value|m_value");
                case "ConcurrentBag`1": return ConcurrentContainers.Bag(type);
                default: return null;
            }
        }

        static Container OfImmutable(Type type, string name)
        {
            switch (name)
            {
                case "ImmutableList`1": return TreeContainers.Of(Container.List, type, null, null, "_key");
                case "ImmutableSortedSet`1": return TreeContainers.Of(Container.Set, type, null, null, "_key");
                case "ImmutableSortedDictionary`2":
                    return TreeContainers.Of(Container.Map, type, "_count", "_key", "_value");
                case "ImmutableHashSet`1": return TreeContainers.OfHashes(Container.Set, type);
                case "ImmutableDictionary`2": return TreeContainers.OfHashes(Container.Map, type);
                case "ImmutableStack`1": return Chain(type, "_head", "_tail");
                default: return null;
            }
        }

        // Of many kinds, which keep their elements alike.
        static Container OfFrozen(Type type)
        {
            bool isMap = type.Name.IndexOf("FrozenDictionary", StringComparison.Ordinal) >= 0;
            if (!isMap && type.Name.IndexOf("FrozenSet", StringComparison.Ordinal) < 0) return null;
            if (type.Name.StartsWith("Empty", StringComparison.Ordinal))
                return new EmptyContainer(isMap ? Container.Map : Container.Set);
            if (isMap) return Arrays(type, "_keys", "_values", null);
            Accessor items = Accessor.Field(type, "_items");
            Accessor cell = items == null ? null : Accessor.Cell(items.Type);
            return cell == null ? null : new ArrayContainer(Container.Set, items, null, cell, null, null);
        }

        static Container Array(Type type, string array, string size, bool isReversed)
        {
            Accessor elements = Accessor.Field(type, array);
            Accessor count = Accessor.Field(type, size);
            Accessor cell = elements == null ? null : Accessor.Cell(elements.Type);
            if (cell == null || count == null) return null;
            return new ArrayContainer(Container.List, elements, count, cell, null, null) { IsReversed = isReversed };
        }

        static Container Arrays(Type type, string keys, string values, string size)
        {
            Accessor names = Accessor.Field(type, keys);
            Accessor held = Accessor.Field(type, values);
            Accessor count = size == null ? null : Accessor.Field(type, size);
            if (names == null || held == null || count == null && size != null) return null;
            Accessor key = Accessor.Cell(names.Type);
            Accessor value = Accessor.Cell(held.Type);
            if (key == null || value == null) return null;
            return new ArrayContainer(Container.Map, held, count, value, names, key);
        }

        static Container Entries(Type type)
        {
            Accessor entries = Accessor.Field(type, "_entries");
            Accessor count = Accessor.Field(type, "_count");
            if (entries == null || count == null) return null;
            Accessor key = Accessor.Cell(entries.Type, "Key");
            Accessor value = Accessor.Cell(entries.Type, "Value");
            if (key == null || value == null) return null;
            return new ArrayContainer(Container.Map, entries, count, value, null, key);
        }

        static Container Ring(Type type)
        {
            Accessor array = Accessor.Field(type, "_array");
            Accessor head = Accessor.Field(type, "_head");
            Accessor size = Accessor.Field(type, "_size");
            Accessor cell = array == null ? null : Accessor.Cell(array.Type);
            return cell == null || head == null || size == null ? null : new RingContainer(array, head, size, cell);
        }

        static Container Dictionary(Type type)
        {
            Accessor entries = Accessor.Field(type, "_entries|entries");
            if (entries == null) return null;
            Accessor hash = Accessor.Cell(entries.Type, "hashCode");
            // A free place has no hash where that is signed, else its next place tells.
            bool isSigned = hash != null && hash.Type == typeof(int);
            Accessor mark = isSigned ? hash : Accessor.Cell(entries.Type, "next");
            Accessor count = Accessor.Field(type, "_count|count");
            Accessor free = Accessor.Field(type, "_freeCount|freeCount");
            Accessor key = Accessor.Cell(entries.Type, "key");
            Accessor value = Accessor.Cell(entries.Type, "value");
            if (count == null || free == null || mark == null || key == null || value == null) return null;
            Accessor[] parts = { entries, count, free, null, mark };
            return new SlotContainer(Container.Map, parts, isSigned ? 0 : -1, key, value);
        }

        static Container HashSet(Type type)
        {
            Accessor slots = Accessor.Field(type, "_entries|_slots");
            if (slots == null) return null;
            Accessor last = Accessor.Field(type, "_lastIndex");
            Accessor count = Accessor.Field(type, "_count");
            Accessor free = Accessor.Field(type, "_freeCount");
            Accessor mark = Accessor.Cell(slots.Type, last == null ? "Next" : "hashCode");
            Accessor value = Accessor.Cell(slots.Type, "Value|value");
            if (count == null || last == null && free == null || mark == null || value == null) return null;
            Accessor[] parts = { slots, last ?? count, last == null ? free : null, count, mark };
            return new SlotContainer(Container.Set, parts, last == null ? -1 : 0, null, value);
        }

        static Container Hashtable(Type type)
        {
            Accessor buckets = Accessor.Field(type, "_buckets|buckets");
            Accessor count = Accessor.Field(type, "_count|count");
            Accessor key = buckets == null ? null : Accessor.Cell(buckets.Type, "key");
            Accessor value = buckets == null ? null : Accessor.Cell(buckets.Type, "val");
            if (key == null || value == null || count == null) return null;
            return new HashtableContainer(buckets, count, key, value);
        }

        static Container Linked(int kind, Type type, string first, string count, string key, string value)
        {
            Accessor head = Accessor.Field(type, first);
            Accessor next = head == null ? null : Accessor.Field(head.Type, "next|_next|m_next");
            Accessor held = head == null ? null : Accessor.Field(head.Type, value);
            Accessor size = count == null ? null : Accessor.Field(type, count);
            Accessor name = key == null || head == null ? null : Accessor.Field(head.Type, key);
            if (next == null || held == null || size == null && count != null || name == null && key != null)
                return null;
            return new LinkedContainer(kind, new[] { head, next, size }, name, held, false);
        }

        // Each node is a list itself; the last one is empty.
        static Container Chain(Type type, string head, string tail)
        {
            Accessor element = Accessor.Field(type, head);
            Accessor next = Accessor.Field(type, tail);
            if (element == null || next == null) return null;
            return new LinkedContainer(Container.List, new[] { null, next, null }, null, element, true);
        }

        static Container Named(Type type)
        {
            Accessor entries = Accessor.Field(type, "_entriesArray");
            Accessor items = Accessor.Field(typeof(ArrayList), "_items");
            Accessor size = Accessor.Field(typeof(ArrayList), "_size");
            return entries == null || items == null || size == null ? null : new NamedContainer(entries, items, size);
        }

        Container Inner(int kind, Type type, string field)
        {
            Accessor inner = Accessor.Field(type, field);
            return inner == null ? null : new InnerContainer(kind, shapes, inner);
        }
    }

    // A collection of a type that never has elements.
    sealed class EmptyContainer : Container
    {
        internal EmptyContainer(int kind) : base(kind) { }

        internal override int Size(object target)
        {
            return 0;
        }

        internal override void Each(object target, ITaker taker) { }
    }
}
