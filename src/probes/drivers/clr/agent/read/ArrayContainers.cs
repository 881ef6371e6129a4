using System;

namespace Substrate.Read
{
    // Elements in an array from its beginning, or in a ring buffer; a dictionary has its keys in the same array or
    // another one.
    sealed class ArrayContainer : Container
    {
        // Null if the target is the array itself.
        readonly Accessor array;
        // Null for the whole array.
        readonly Accessor size;
        readonly Accessor cell;
        // The separate key array of a dictionary; otherwise null.
        internal Accessor KeyArray;
        internal Accessor KeyCell;
        // The index of the first element in a ring; otherwise null.
        internal Accessor Head;
        // True if the last element comes first: on a stack that is the top.
        internal bool IsReversed;

        internal ArrayContainer(int kind, Accessor array, Accessor size, Accessor cell) : base(kind, null)
        {
            this.array = array;
            this.size = size;
            this.cell = cell;
        }

        internal override int Size(object target)
        {
            return SizeOf(target, ArrayOf(target));
        }

        internal override void Each(object target, ITaker taker)
        {
            Array elements = ArrayOf(target);
            Array keys = KeyArray == null ? elements : KeyArray.Get(target) as Array;
            if (elements == null || keys == null || elements.Length == 0) return;
            int end = Math.Min(SizeOf(target, elements), keys.Length);
            int head = Head == null ? 0 : Math.Max(0, Head.Whole(target)) % elements.Length;
            for (int at = 0; at < end; at++)
            {
                int place = IsReversed ? end - 1 - at : head + at;
                if (place >= elements.Length) place -= elements.Length;
                if (!taker.Take(KeyCell, keys, cell, elements, place)) return;
            }
        }

        Array ArrayOf(object target)
        {
            return (array == null ? target : array.Get(target)) as Array;
        }

        int SizeOf(object target, Array elements)
        {
            if (elements == null) return 0;
            return size == null ? elements.Length : Math.Max(0, Math.Min(elements.Length, size.Whole(target)));
        }
    }

    // Elements in an array with gaps: Dictionary and HashSet. They are in insertion order, and a new one takes the
    // place of a removed one, so that the others keep theirs.
    sealed class SlotContainer : Container
    {
        readonly Accessor array;
        // The number of places that were ever used.
        readonly Accessor end;
        // The number of free places; null if the count excludes them.
        readonly Accessor free;
        // A place is used if this number is at least `least`.
        readonly Accessor mark;
        readonly int least;
        readonly Accessor key;
        readonly Accessor value;

        SlotContainer(Accessor array, Accessor end, Accessor free, Accessor count, Accessor mark, int least,
            Accessor key, Accessor value)
            : base(key == null ? Set : Map, count)
        {
            this.array = array;
            this.end = end;
            this.free = free;
            this.mark = mark;
            this.least = least;
            this.key = key;
            this.value = value;
        }

        internal static Container OfDictionary(Layout layout)
        {
            Accessor entries = layout.Field("_entries|entries");
            Accessor hash = entries == null ? null : Accessor.Cell(entries.Type, "hashCode");
            // A free place has a negative hash where that is signed; otherwise its next index marks it.
            bool isSigned = hash != null && hash.Type == typeof(int);
            Accessor mark = isSigned ? hash : layout.Cell(entries, "next");
            return new SlotContainer(entries, layout.Field("_count|count"), layout.Field("_freeCount|freeCount"), null,
                mark, isSigned ? 0 : -1, layout.Cell(entries, "key"), layout.Cell(entries, "value"));
        }

        internal static Container OfSet(Layout layout)
        {
            Accessor slots = layout.Field("_entries|_slots");
            Accessor last = Accessor.Field(layout.Type, "_lastIndex");
            Accessor count = layout.Field("_count");
            Accessor mark = layout.Cell(slots, last == null ? "Next" : "hashCode");
            Accessor value = layout.Cell(slots, "Value|value");
            return last != null ? new SlotContainer(slots, last, null, count, mark, 0, null, value)
                : new SlotContainer(slots, count, layout.Field("_freeCount"), null, mark, -1, null, value);
        }

        internal override int Size(object target)
        {
            return free == null ? base.Size(target) : Math.Max(0, end.Whole(target) - free.Whole(target));
        }

        internal override void Each(object target, ITaker taker)
        {
            var places = array.Get(target) as Array;
            if (places == null) return;
            int last = Math.Min(places.Length, end.Whole(target));
            for (int at = 0; at < last; at++)
                if (mark.Whole(places, at) >= least && !taker.Take(key, places, value, places, at)) return;
        }
    }

    // Keys and values in the buckets of a Hashtable. An emptied bucket has the table itself as its key.
    sealed class HashtableContainer : Container
    {
        readonly Accessor buckets;
        readonly Accessor key;
        readonly Accessor value;

        internal HashtableContainer(Layout layout) : base(Map, layout.Field("_count|count"))
        {
            buckets = layout.Field("_buckets|buckets");
            key = layout.Cell(buckets, "key");
            value = layout.Cell(buckets, "val");
        }

        internal override void Each(object target, ITaker taker)
        {
            var places = buckets.Get(target) as Array;
            if (places == null) return;
            for (int at = 0; at < places.Length; at++)
            {
                object name = key.Get(places, at);
                if (name != null && name != places && !taker.Take(key, places, value, places, at)) return;
            }
        }

        internal override bool IsOrdered(object target)
        {
            return false;
        }
    }

    // Elements in a chain of ring buffers, each with a power of two as its size: ConcurrentQueue, and ConcurrentBag,
    // which has one for each thread that added some.
    sealed class RingsContainer : Container
    {
        const int MaxRings = 1000000;
        readonly Accessor first;
        readonly Accessor next;
        readonly Accessor array;
        readonly Accessor head;
        readonly Accessor tail;
        readonly Accessor cell;
        // Set for a queue; otherwise null.
        readonly Accessor isFrozen;
        readonly Accessor sequence;

        internal RingsContainer(Layout layout, bool isQueue) : base(List, null)
        {
            first = layout.Field(isQueue ? "_head" : "_workStealingQueues");
            next = layout.In(first, isQueue ? "_nextSegment" : "_nextQueue");
            array = layout.In(first, isQueue ? "_slots" : "_array");
            head = isQueue ? layout.In(first, "_headAndTail", "Head") : layout.In(first, "_headIndex");
            tail = isQueue ? layout.In(first, "_headAndTail", "Tail") : layout.In(first, "_tailIndex");
            cell = isQueue ? layout.Cell(array, "Item") : layout.Cell(array);
            isFrozen = isQueue ? layout.In(first, "_frozenForEnqueues") : null;
            sequence = isQueue ? layout.Cell(array, "SequenceNumber") : null;
        }

        internal override void Each(object target, ITaker taker)
        {
            int rings = 0;
            for (object at = first.Get(target); at != null && rings < MaxRings; at = next.Get(at), rings++)
                if (!EachIn(at, taker)) return;
        }

        bool EachIn(object segment, ITaker taker)
        {
            var ring = array.Get(segment) as Array;
            if (ring == null || ring.Length == 0) return true;
            int from = head.Whole(segment);
            int used = unchecked(tail.Whole(segment) - from);
            // A closed segment has its end moved far ahead.
            if (isFrozen != null && isFrozen.Whole(segment) != 0) used -= 2 * ring.Length;
            for (int at = 0; at < used && at < ring.Length; at++)
            {
                int place = unchecked(from + at);
                int index = place & (ring.Length - 1);
                bool isThere = sequence == null || sequence.Whole(ring, index) == unchecked(place + 1);
                if (isThere && !taker.Take(null, null, cell, ring, index)) return false;
            }
            return true;
        }
    }
}
