using System;

namespace Substrate.Read
{
    // One row of a two-dimensional array, made at each read.
    sealed class Row
    {
        readonly Array array;
        readonly int index;

        internal Row(Array array, int index)
        {
            this.array = array;
            this.index = index;
        }

        internal int Length
        {
            get { return array.GetLength(1); }
        }

        internal object At(int column)
        {
            return array.GetValue(array.GetLowerBound(0) + index, array.GetLowerBound(1) + column);
        }
    }
}
