using System;

namespace Substrate.Read
{
    // Elements in one ring for each thread that added some: ConcurrentBag.
    sealed class BagContainer : Container
    {
        const int MaxCount = 1000000;
        const int MaxThreads = 100000;
        readonly Accessor first;
        readonly Accessor next;
        readonly Accessor array;
        readonly Accessor head;
        readonly Accessor tail;
        readonly Accessor cell;

        internal BagContainer(Accessor[] parts, Accessor cell) : base(List)
        {
            first = parts[0];
            next = parts[1];
            array = parts[2];
            head = parts[3];
            tail = parts[4];
            this.cell = cell;
        }

        internal override int Size(object target)
        {
            var counter = new Counter(MaxCount);
            Each(target, counter);
            return counter.Count > MaxCount ? Unknown : counter.Count;
        }

        internal override void Each(object target, ITaker taker)
        {
            object queue = first.Get(target);
            for (int threads = 0; queue != null && threads < MaxThreads; queue = next.Get(queue), threads++)
            {
                var ring = array.Get(queue) as Array;
                if (ring == null || ring.Length == 0) continue;
                int from = head.Whole(queue);
                int used = unchecked(tail.Whole(queue) - from);
                for (int at = 0; at < used && at < ring.Length; at++)
                    if (!taker.Take(null, null, cell, ring, unchecked(from + at) & (ring.Length - 1))) return;
            }
        }
    }
}
