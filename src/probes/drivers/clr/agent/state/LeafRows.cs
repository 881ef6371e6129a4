using System;

namespace Substrate.State
{
    // Leaves with what is kept of each.
    sealed class LeafRows
    {
        const int Small = 256;
        internal long[] Hashes;
        internal int[] Slots;
        internal int Count;
        internal byte[] Kinds;
        internal long[] Bits;
        internal long[] More;
        internal object[] Texts;

        internal LeafRows(int capacity)
        {
            Hashes = new long[capacity];
            Slots = new int[capacity];
            Kinds = new byte[capacity];
            Bits = new long[capacity];
            More = new long[capacity];
            Texts = new object[capacity];
        }

        internal void Add(long hash, byte kind, long bits, long more, object text, int slot)
        {
            if (Count == Hashes.Length) Grow();
            Hashes[Count] = hash;
            Slots[Count] = slot;
            Set(Count++, kind, bits, more, text);
        }

        internal void Set(int row, byte kind, long bits, long more, object text)
        {
            Kinds[row] = kind;
            Bits[row] = bits;
            More[row] = more;
            if (Texts[row] != text) Texts[row] = text;
        }

        internal bool Holds(int row, byte kind, long bits, long more, object text)
        {
            if (Kinds[row] != kind || Bits[row] != bits || More[row] != more) return false;
            object former = Texts[row];
            if (former == text) return true;
            var one = former as string;
            return one != null && string.Equals(one, text as string);
        }

        // Keeps the room.
        internal void Clear()
        {
            Array.Clear(Texts, 0, Count);
            Count = 0;
        }

        // Keeps no more room than such a state needs.
        internal void Trim()
        {
            if (Hashes.Length > Small && Count * 4 < Hashes.Length) Resize(Math.Max(Small, Count * 2));
        }

        void Grow()
        {
            Resize(Math.Max(Small, Count + (Count >> 1)));
        }

        void Resize(int capacity)
        {
            Array.Resize(ref Hashes, capacity);
            Array.Resize(ref Slots, capacity);
            Array.Resize(ref Kinds, capacity);
            Array.Resize(ref Bits, capacity);
            Array.Resize(ref More, capacity);
            Array.Resize(ref Texts, capacity);
        }
    }
}
