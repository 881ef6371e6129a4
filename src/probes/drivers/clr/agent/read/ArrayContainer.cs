using System;

namespace Substrate.Read
{
    // Elements in an array from its beginning on; of a dictionary with the keys in the same array or another one.
    sealed class ArrayContainer : Container
    {
        // Null: the target is the array itself.
        readonly Accessor array;
        // Null: the whole array.
        readonly Accessor size;
        readonly Accessor cell;
        // Of a dictionary whose keys are in an array of their own; else null.
        readonly Accessor keyArray;
        readonly Accessor keyCell;
        // The last one first: of a stack that is the one on top.
        internal bool IsReversed;

        internal ArrayContainer(int kind, Accessor array, Accessor size, Accessor cell, Accessor keyArray,
            Accessor keyCell)
            : base(kind)
        {
            this.array = array;
            this.size = size;
            this.cell = cell;
            this.keyArray = keyArray;
            this.keyCell = keyCell;
        }

        internal override int Size(object target)
        {
            return SizeOf(target, ArrayOf(target));
        }

        internal override void Each(object target, ITaker taker)
        {
            Array elements = ArrayOf(target);
            Array keys = keyArray == null ? elements : keyArray.Get(target) as Array;
            if (elements == null || keys == null) return;
            int end = Math.Min(SizeOf(target, elements), keys.Length);
            for (int at = 0; at < end; at++)
                if (!taker.Take(keyCell, keys, cell, elements, IsReversed ? end - 1 - at : at)) return;
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
}
