using System;

namespace Substrate.State
{
    /// <summary>Entries of a walk that exceeded their share, and how far they were read.</summary>
    sealed class Aside
    {
        internal int[] Entries = new int[16];
        internal int[] Positions = new int[16];
        internal int Count;

        internal void Add(int entry, int position)
        {
            if (Count == Entries.Length)
            {
                Array.Resize(ref Entries, Count * 2);
                Array.Resize(ref Positions, Count * 2);
            }
            Entries[Count] = entry;
            Positions[Count++] = position;
        }
    }
}
