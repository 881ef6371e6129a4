using System;

namespace Substrate.Read
{
    // Collections of the framework that are trees.
    static class TreeContainers
    {
        internal static Container Sorted(Type type)
        {
            // A part of another set would have to compare.
            if (type.Name == "TreeSubSet") return null;
            return Of(Container.Set, type, "count|_count", null, "<Item>k__BackingField|Item");
        }

        internal static Container SortedDictionary(Type type)
        {
            Accessor set = Accessor.Field(type, "_set");
            Accessor root = set == null ? null : Accessor.Field(set.Type, "root");
            if (root == null) return null;
            const string Item = "<Item>k__BackingField|Item";
            Accessor key = Accessor.Field(root.Type, Item, "key");
            Accessor value = Accessor.Field(root.Type, Item, "value");
            Container tree = key == null ? null : Of(Container.Map, set.Type, "count|_count", key, value);
            return tree == null ? null : new OuterContainer(set, tree);
        }

        internal static Container Of(int kind, Type type, string count, string key, string value)
        {
            Accessor root = Accessor.Field(type, "root|_root");
            if (root == null) return null;
            Accessor name = key == null ? null : Accessor.Field(root.Type, key);
            if (name == null && key != null) return null;
            return Of(kind, type, count, name, Accessor.Field(root.Type, value));
        }

        static Container Of(int kind, Type type, string count, Accessor name, Accessor held)
        {
            Accessor[] parts = TreeParts(type, count);
            return parts == null || held == null ? null : new TreeContainer(kind, parts, name, held, null, null);
        }

        static Accessor[] TreeParts(Type type, string count)
        {
            Accessor root = Accessor.Field(type, "root|_root");
            if (root == null) return null;
            Accessor left = Accessor.Field(root.Type, "<Left>k__BackingField|Left|_left");
            Accessor right = Accessor.Field(root.Type, "<Right>k__BackingField|Right|_right");
            Accessor size = count == null ? null : Accessor.Field(type, count);
            if (left == null || right == null || size == null && count != null) return null;
            return new[] { root, left, right, size, Accessor.Field(root.Type, "_height") };
        }

        // A tree of buckets by hash; those with several elements have a list of the others.
        internal static Container OfHashes(int kind, Type type)
        {
            Accessor[] parts = TreeParts(type, "_count");
            if (parts == null) return null;
            Type node = parts[0].Type;
            bool isMap = kind == Container.Map;
            Accessor more = Accessor.Field(node, "_value", "_additionalElements");
            Accessor key = isMap ? Accessor.Field(node, "_value", "_firstValue", "key") : null;
            Accessor value = isMap
                ? Accessor.Field(node, "_value", "_firstValue", "value")
                : Accessor.Field(node, "_value", "_firstValue");
            if (more == null || value == null || isMap && key == null) return null;
            Accessor otherKey = isMap ? Accessor.Field(more.Type, "_key", "key") : null;
            Accessor otherValue = isMap ? Accessor.Field(more.Type, "_key", "value") : Accessor.Field(more.Type,
                "_key");
            Accessor left = Accessor.Field(more.Type, "_left");
            Accessor right = Accessor.Field(more.Type, "_right");
            Accessor height = Accessor.Field(more.Type, "_height");
            if (otherValue == null || isMap && otherKey == null || left == null || right == null || height == null)
                return null;
            var others = new TreeContainer(kind, new[] { null, left, right, null, height }, otherKey, otherValue,
                null, null);
            return new TreeContainer(kind, parts, key, value, more, others);
        }
    }

    // A collection whose elements another object of one known type keeps: SortedDictionary.
    sealed class OuterContainer : Container
    {
        readonly Accessor held;
        readonly Container inner;

        internal OuterContainer(Accessor held, Container inner) : base(inner.Kind)
        {
            this.held = held;
            this.inner = inner;
        }

        internal override int Size(object target)
        {
            object keeper = held.Get(target);
            return keeper == null ? 0 : inner.Size(keeper);
        }

        internal override void Each(object target, ITaker taker)
        {
            object keeper = held.Get(target);
            if (keeper != null) inner.Each(keeper, taker);
        }
    }
}
