using System;
using Substrate.Budget;

namespace Substrate.State
{
    // The leaves of the last walk, in its order. The next walk is compared in lockstep: while the paths are equal,
    // nothing is searched and nothing is allocated. From the first difference on a new table is filled and the old one
    // searched by hash.
    sealed class LeafTable
    {
        // Results for a leaf: a slot (0 or more) means that it is new or has another value.
        internal const int Same = -1;
        // The path exists already; it must not be sent again.
        internal const int Double = -2;
        // Slots are never reused; when most are empty a new numbering costs less than keeping them.
        const int MaxEmptySlots = 10000;

        LeafRows before = Spare<LeafRows>.Take() ?? new LeafRows(0);
        // Null while in lockstep.
        LeafRows now;
        HashIndex index;
        HashIndex added;
        int at;
        int nextSlot;
        bool isFull;

        internal bool WasAdded { get; private set; }

        // True when it is better to send everything again.
        internal bool IsSparse
        {
            get { return nextSlot > 2 * before.Count + MaxEmptySlots; }
        }

        internal void Begin(bool full)
        {
            isFull = full;
            index = null;
            if (added != null) Spare<HashIndex>.Give(added);
            added = null;
            at = 0;
            // The larger table is that of the discarded walk.
            LeafRows room = now ?? before;
            now = null;
            if (!full) return;
            // Nothing is compared with it.
            now = room;
            before = new LeafRows(0);
            added = HashIndex.For(now.Count);
            now.Clear();
            nextSlot = 0;
        }

        // The slot of a leaf that is new or has another value (see WasAdded), Same or Double.
        internal int Put(long hash, byte kind, long bits, long more, object text)
        {
            WasAdded = false;
            if (now == null)
            {
                if (at < before.Count && before.Hashes[at] == hash)
                {
                    int row = at++;
                    if (before.Holds(row, kind, bits, more, text)) return Same;
                    before.Set(row, kind, bits, more, text);
                    return before.Slots[row];
                }
                LeaveLockstep();
            }
            return isFull ? Add(hash, kind, bits, more, text) : Search(hash, kind, bits, more, text);
        }

        // Returns the slots of removed leaves; the new table is used for the next comparison.
        internal int[] Finish()
        {
            int[] removed = now == null ? Cut() : Unused();
            if (now != null) before = now;
            before.Trim();
            now = null;
            index = null;
            if (added != null) Spare<HashIndex>.Give(added);
            added = null;
            return removed;
        }

        // No other comparison follows.
        internal void Close()
        {
            Forget(before);
            if (now != null) Forget(now);
        }

        static void Forget(LeafRows rows)
        {
            rows.Clear();
            Spare<LeafRows>.Give(rows);
        }

        // Forgets what was sent.
        internal void Forget()
        {
            before = new LeafRows(0);
            now = null;
            index = null;
            added = null;
            nextSlot = 0;
        }

        void LeaveLockstep()
        {
            now = new LeafRows(before.Count + (before.Count >> 4) + 16);
            for (int row = 0; row < at; row++)
            {
                now.Add(before.Hashes[row], before.Kinds[row], before.Bits[row], before.More[row], before.Texts[row],
                    before.Slots[row]);
                before.Slots[row] = ~before.Slots[row];
            }
            added = HashIndex.For(64);
        }

        int Search(long hash, byte kind, long bits, long more, object text)
        {
            int row = at < before.Count && before.Hashes[at] == hash ? at : IndexOfBefore().Find(hash);
            if (row < 0) return Add(hash, kind, bits, more, text);
            int slot = before.Slots[row];
            if (slot < 0) return Double;
            before.Slots[row] = ~slot;
            at = row + 1;
            now.Add(hash, kind, bits, more, text, slot);
            return before.Holds(row, kind, bits, more, text) ? Same : slot;
        }

        int Add(long hash, byte kind, long bits, long more, object text)
        {
            if (!added.Add(hash, 0)) return Double;
            WasAdded = true;
            now.Add(hash, kind, bits, more, text, nextSlot);
            return nextSlot++;
        }

        HashIndex IndexOfBefore()
        {
            if (index != null) return index;
            index = HashIndex.For(before.Count);
            for (int row = 0; row < before.Count; row++) index.Add(before.Hashes[row], row);
            return index;
        }

        int[] Cut()
        {
            var removed = new int[before.Count - at];
            Array.Copy(before.Slots, at, removed, 0, removed.Length);
            Array.Clear(before.Texts, at, removed.Length);
            before.Count = at;
            return removed;
        }

        int[] Unused()
        {
            var removed = new int[before.Count];
            int count = 0;
            for (int row = 0; row < before.Count; row++)
                if (before.Slots[row] >= 0) removed[count++] = before.Slots[row];
            Array.Resize(ref removed, count);
            return removed;
        }
    }

    // Leaves with the stored values of each.
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

        // Keeps the arrays.
        internal void Clear()
        {
            Array.Clear(Texts, 0, Count);
            Count = 0;
        }

        // Frees the memory that such a state does not need.
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
