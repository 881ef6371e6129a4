using System;

namespace Substrate.Read
{
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

        internal BucketContainer(Accessor[] parts, Accessor key, Accessor value) : base(Map)
        {
            tables = parts[0];
            buckets = parts[1];
            counts = parts[2];
            cell = parts[3];
            next = parts[4];
            this.key = key;
            this.value = value;
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
}
