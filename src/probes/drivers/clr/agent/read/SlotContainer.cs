using System;

namespace Substrate.Read
{
    // Elements in an array with gaps: Dictionary and HashSet. They stand in the order in which they came, and a new one
    // takes the place of one that went, so that the others keep theirs.
    sealed class SlotContainer : Container
    {
        readonly Accessor array;
        // How many places were ever used.
        readonly Accessor end;
        // How many of these are free; null: `count` says how many are not.
        readonly Accessor free;
        readonly Accessor count;
        // A place is used if this number is no less than `least`.
        readonly Accessor mark;
        readonly int least;
        readonly Accessor key;
        readonly Accessor value;

        internal SlotContainer(int kind, Accessor[] parts, int least, Accessor key, Accessor value) : base(kind)
        {
            array = parts[0];
            end = parts[1];
            free = parts[2];
            count = parts[3];
            mark = parts[4];
            this.least = least;
            this.key = key;
            this.value = value;
        }

        internal override int Size(object target)
        {
            return Math.Max(0, free == null ? count.Whole(target) : end.Whole(target) - free.Whole(target));
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
}
