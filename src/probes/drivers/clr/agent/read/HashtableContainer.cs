using System;

namespace Substrate.Read
{
    // Keys and values in the buckets of a Hashtable. A bucket that was emptied has the table itself for a key.
    sealed class HashtableContainer : Container
    {
        readonly Accessor buckets;
        readonly Accessor count;
        readonly Accessor key;
        readonly Accessor value;

        internal HashtableContainer(Accessor buckets, Accessor count, Accessor key, Accessor value) : base(Map)
        {
            this.buckets = buckets;
            this.count = count;
            this.key = key;
            this.value = value;
        }

        internal override int Size(object target)
        {
            return Math.Max(0, count.Whole(target));
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
}
