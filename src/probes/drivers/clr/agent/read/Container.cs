using System;

namespace Substrate.Read
{
    // Takes the elements of a collection, each as a place from which it can be read.
    interface ITaker
    {
        // False ends the iteration. Without a `key` it is not an entry of a dictionary.
        bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int index);
    }

    // Reads the elements of one type of collection from its private fields, without calling it.
    abstract class Container
    {
        internal const int List = 0;
        internal const int Set = 1;
        internal const int Map = 2;
        // More than any collection that is read; ends the iteration of one that another thread is changing.
        internal const int MaxSteps = 1 << 26;
        // The size of a collection that cannot be counted.
        internal const int Unknown = -1;
        // A larger collection that does not store its size is reported without one.
        const int MaxCount = 1000000;

        internal readonly int Kind;
        // The field with the number of elements; null if they have to be counted one by one.
        readonly Accessor count;

        protected Container(int kind, Accessor count)
        {
            Kind = kind;
            this.count = count;
        }

        // The size that the collection stores, or Unknown; slightly wrong while it is being changed.
        internal virtual int Size(object target)
        {
            if (count != null) return Math.Max(0, count.Whole(target));
            var counter = new Counter();
            Each(target, counter);
            return counter.Count > MaxCount ? Unknown : counter.Count;
        }

        internal abstract void Each(object target, ITaker taker);

        // False if the order depends on hashes, and changes with other elements.
        internal virtual bool IsOrdered(object target)
        {
            return true;
        }

        sealed class Counter : ITaker
        {
            internal int Count;

            public bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int index)
            {
                return ++Count <= MaxCount;
            }
        }
    }

    // The private fields that a container needs. A missing one means that this version stores the elements elsewhere.
    sealed class Layout
    {
        internal readonly Type Type;

        internal Layout(Type type)
        {
            Type = type;
        }

        internal bool IsMissing { get; private set; }

        internal Accessor Field(params string[] path)
        {
            return Needed(Accessor.Field(Type, path));
        }

        // A field of the object in another field.
        internal Accessor In(Accessor holder, params string[] path)
        {
            return Needed(holder == null ? null : Accessor.Field(holder.Type, path));
        }

        // An element of the array in a field, or a field of the element.
        internal Accessor Cell(Accessor array, params string[] path)
        {
            return Needed(array == null ? null : Accessor.Cell(array.Type, path));
        }

        internal Accessor Needed(Accessor found)
        {
            IsMissing |= found == null;
            return found;
        }
    }
}
