using System;

namespace Substrate.Read
{
    // Takes the elements of a collection, each as a place from which it can be read.
    interface ITaker
    {
        // False: enough. Without a `key` it is no entry of a dictionary.
        bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int index);
    }

    // How the elements of one type of collection are read from its private fields, without calling it.
    abstract class Container
    {
        internal const int List = 0;
        internal const int Set = 1;
        internal const int Map = 2;
        // More than any collection that is read; ends the way through one that another thread is just changing.
        internal const int MaxSteps = 1 << 26;
        // The size of a collection that cannot be counted here.
        internal const int Unknown = -1;
        // Of a larger one that has to be gone through the size is not told.
        const int MaxCount = 1000000;

        internal readonly int Kind;
        // Where it counts its elements; null: one has to go through all.
        readonly Accessor count;

        protected Container(int kind, Accessor count)
        {
            Kind = kind;
            this.count = count;
        }

        // As the collection counts, or Unknown; may be off by a little while it is being changed.
        internal virtual int Size(object target)
        {
            if (count != null) return Math.Max(0, count.Whole(target));
            var counter = new Counter();
            Each(target, counter);
            return counter.Count > MaxCount ? Unknown : counter.Count;
        }

        internal abstract void Each(object target, ITaker taker);

        // False: the order of the elements is an accident of their hashes, and others shift it.
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

    // The private fields that a container needs. Where one is missing, the collection keeps its elements elsewhere.
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

        // A field of what another one holds.
        internal Accessor In(Accessor holder, params string[] path)
        {
            return Needed(holder == null ? null : Accessor.Field(holder.Type, path));
        }

        // An element of the array that a field holds, or a field of the element.
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
