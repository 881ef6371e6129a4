namespace Substrate.Read
{
    // Elements in nodes, one after the other; in a ring the last leads to the first again.
    sealed class LinkedContainer : Container
    {
        const int MaxCount = 1000000;
        // Null: the target is the first node.
        readonly Accessor first;
        readonly Accessor next;
        // Null: one has to go through all.
        readonly Accessor count;
        readonly Accessor key;
        readonly Accessor value;
        // The last node is no element.
        readonly bool hasEnd;

        internal LinkedContainer(int kind, Accessor[] parts, Accessor key, Accessor value, bool hasEnd) : base(kind)
        {
            first = parts[0];
            next = parts[1];
            count = parts[2];
            this.key = key;
            this.value = value;
            this.hasEnd = hasEnd;
        }

        internal override int Size(object target)
        {
            if (count != null) return System.Math.Max(0, count.Whole(target));
            int size = 0;
            object start = Start(target);
            for (object node = start; node != null; size++)
            {
                if (size > MaxCount) return Unknown;
                node = next.Get(node);
                if (node == start || hasEnd && node == null) break;
            }
            return size;
        }

        internal override void Each(object target, ITaker taker)
        {
            object start = Start(target);
            object node = start;
            for (int steps = 0; node != null && steps < MaxSteps; steps++)
            {
                object after = next.Get(node);
                if (hasEnd && after == null) return;
                if (!taker.Take(key, node, value, node, 0) || after == start) return;
                node = after;
            }
        }

        object Start(object target)
        {
            return first == null ? target : first.Get(target);
        }
    }
}
