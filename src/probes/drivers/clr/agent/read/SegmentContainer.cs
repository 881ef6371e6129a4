using System;

namespace Substrate.Read
{
    // Elements in rings that follow each other: ConcurrentQueue.
    sealed class SegmentContainer : Container
    {
        const int MaxCount = 1000000;
        readonly Accessor first;
        readonly Accessor slots;
        readonly Accessor head;
        readonly Accessor tail;
        readonly Accessor isFrozen;
        readonly Accessor next;
        readonly Accessor item;
        readonly Accessor sequence;

        internal SegmentContainer(Accessor[] parts) : base(List)
        {
            first = parts[0];
            slots = parts[1];
            head = parts[2];
            tail = parts[3];
            isFrozen = parts[4];
            next = parts[5];
            item = parts[6];
            sequence = parts[7];
        }

        internal override int Size(object target)
        {
            var counter = new Counter(MaxCount);
            Each(target, counter);
            return counter.Count > MaxCount ? Unknown : counter.Count;
        }

        internal override void Each(object target, ITaker taker)
        {
            int steps = 0;
            for (object segment = first.Get(target); segment != null && steps < MaxSteps; segment = next.Get(segment))
            {
                steps++;
                var ring = slots.Get(segment) as Array;
                if (ring == null || ring.Length == 0) continue;
                int from = head.Whole(segment);
                int used = unchecked(tail.Whole(segment) - from);
                // One that takes no more elements has its end put far ahead.
                if (isFrozen.Whole(segment) != 0) used -= 2 * ring.Length;
                for (int at = 0; at < used && at < ring.Length; at++)
                {
                    int place = unchecked(from + at);
                    int index = place & (ring.Length - 1);
                    bool isThere = sequence.Whole(ring, index) == unchecked(place + 1);
                    if (isThere && !taker.Take(null, null, item, ring, index)) return;
                }
                steps += Math.Max(0, used);
            }
        }
    }
}
