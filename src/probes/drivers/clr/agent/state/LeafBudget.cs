using System;
using Substrate.Read;

namespace Substrate.State
{
    // Shares of the cap, so that no root, part of a root or collection uses all of it: an entry that exceeds its share is
    // deferred, and read when all others had theirs and there is room.
    sealed class LeafBudget
    {
        const int None = -1;
        int[] parents = new int[64];
        int[] sizes = new int[64];
        int[] used = new int[64];
        bool[] ofCollections = new bool[64];
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
            return Add(None, Math.Max(Rules.LeastShare, size), false);
        }

        // A share beside all other parts of the root, however deep; the elements of a collection have no own shares.
        internal int OpenPart(int share)
        {
            return ofCollections[share] ? share : Add(RootOf(share), Rules.LeastShare, false);
        }

        internal int OpenCollection(int share)
        {
            return Add(share, Rules.LeastShare, true);
        }

        int RootOf(int share)
        {
            return parents[share] == None ? share : parents[share];
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
            {
                int growth = Rules.ShareGrowth * rounds - (parents[at] == None ? 0 : Math.Min(rounds, Rules.SlowRounds));
                left = Math.Min(left, ((long)sizes[at] << Math.Min(growth, 31)) - used[at]);
            }
            return (int)Math.Max(0, left);
        }

        internal void Use(int share, int amount)
        {
            for (int at = share; at != None; at = parents[at]) used[at] += amount;
        }

        int Add(int parent, int size, bool isCollection)
        {
            if (count == parents.Length)
            {
                Array.Resize(ref parents, count * 2);
                Array.Resize(ref sizes, count * 2);
                Array.Resize(ref used, count * 2);
                Array.Resize(ref ofCollections, count * 2);
            }
            parents[count] = parent;
            sizes[count] = size;
            used[count] = 0;
            ofCollections[count] = isCollection;
            return count++;
        }
    }
}
