using System;

namespace Substrate.Read
{
    // Elements in an array that is used as a ring: Queue.
    sealed class RingContainer : Container
    {
        readonly Accessor array;
        readonly Accessor head;
        readonly Accessor size;
        readonly Accessor cell;

        internal RingContainer(Accessor array, Accessor head, Accessor size, Accessor cell) : base(List)
        {
            this.array = array;
            this.head = head;
            this.size = size;
            this.cell = cell;
        }

        internal override int Size(object target)
        {
            var elements = array.Get(target) as Array;
            return elements == null ? 0 : Math.Max(0, Math.Min(elements.Length, size.Whole(target)));
        }

        internal override void Each(object target, ITaker taker)
        {
            var elements = array.Get(target) as Array;
            if (elements == null || elements.Length == 0) return;
            int at = Math.Max(0, head.Whole(target)) % elements.Length;
            for (int left = Math.Min(elements.Length, size.Whole(target)); left > 0; left--)
            {
                if (!taker.Take(null, null, cell, elements, at)) return;
                if (++at == elements.Length) at = 0;
            }
        }
    }
}
