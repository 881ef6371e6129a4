using System;

namespace Substrate.State
{
    // Shares of the cap, so that no root and no collection uses all of it: an entry that exceeds its share is deferred,
    // and read when all others had theirs and there is room. A collection's share is a part of its holder's.
    sealed class LeafBudget
    {
        const int None = -1;
        const int Least = 16;
        const int Part = 4;
        // All are powers of two.
        const int Growth = 2;
        int[] parents = new int[64];
        int[] sizes = new int[64];
        int[] used = new int[64];
        int count;
        // Each round makes all shares larger, so that few are needed for any size.
        int rounds;

        internal void Clear()
        {
            count = 0;
            rounds = 0;
        }

        internal int Open(int size)
        {
            return Add(None, Math.Max(Least, size));
        }

        internal int OpenBelow(int parent)
        {
            return Add(parent, Math.Max(Least, sizes[parent] / Part));
        }

        internal void GrowAll()
        {
            rounds++;
        }

        // The rest of this share and of all shares around it.
        internal int Left(int share)
        {
            long left = int.MaxValue;
            for (int at = share; at != None; at = parents[at])
                left = Math.Min(left, ((long)sizes[at] << Math.Min(Growth * rounds, 31)) - used[at]);
            return (int)Math.Max(0, left);
        }

        internal void Use(int share, int amount)
        {
            for (int at = share; at != None; at = parents[at]) used[at] += amount;
        }

        int Add(int parent, int size)
        {
            if (count == parents.Length)
            {
                Array.Resize(ref parents, count * 2);
                Array.Resize(ref sizes, count * 2);
                Array.Resize(ref used, count * 2);
            }
            parents[count] = parent;
            sizes[count] = size;
            used[count] = 0;
            return count++;
        }
    }
}
