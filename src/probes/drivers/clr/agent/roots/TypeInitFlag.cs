using System;
using System.Collections.Generic;

namespace Substrate.Roots
{
    // .NET 9 and later: one bit of a block that belongs to the type, to which the method table points.
    sealed class TypeInitFlag : IInitFlag
    {
        const int FirstField = 16;
        const int LastField = 64;
        const int BlockSize = 24;
        readonly int field;
        readonly int offset;
        readonly int mask;

        TypeInitFlag(int field, int offset, int mask)
        {
            this.field = field;
            this.offset = offset;
            this.mask = mask;
        }

        internal static IEnumerable<IInitFlag> All()
        {
            for (int field = FirstField; field <= LastField; field += 8)
                for (int offset = 0; offset < BlockSize; offset++)
                    for (int bit = 0; bit < 8; bit++) yield return new TypeInitFlag(field, offset, 1 << bit);
        }

        public bool IsSet(OwnMemory memory, Type type)
        {
            long block;
            byte value;
            return memory.Word((long)type.TypeHandle.Value + field, out block)
                && memory.Byte(block + offset, out value) && (value & mask) != 0;
        }
    }
}
