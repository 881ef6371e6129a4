using System;
using Substrate.Budget;

namespace Substrate.State
{
    // Finds the number that belongs to a 64-bit hash.
    sealed class HashIndex
    {
        long[] hashes;
        // Number + 1; 0 if free.
        int[] numbers;
        int size;

        HashIndex(int capacity)
        {
            hashes = new long[capacity];
            numbers = new int[capacity];
        }

        // An empty index, with reused arrays if there are some.
        internal static HashIndex For(int expected)
        {
            int capacity = 64;
            while (capacity < expected * 2) capacity *= 2;
            HashIndex spare = Spare<HashIndex>.Take();
            if (spare == null || spare.hashes.Length < capacity) return new HashIndex(capacity);
            Array.Clear(spare.numbers, 0, spare.numbers.Length);
            spare.size = 0;
            return spare;
        }

        // -1 if there is none.
        internal int Find(long hash)
        {
            int mask = hashes.Length - 1;
            for (int at = (int)hash & mask; numbers[at] != 0; at = (at + 1) & mask)
                if (hashes[at] == hash) return numbers[at] - 1;
            return -1;
        }

        // False if the hash is there already.
        internal bool Add(long hash, int number)
        {
            if (size * 2 >= hashes.Length) Grow();
            int mask = hashes.Length - 1;
            int at = (int)hash & mask;
            for (; numbers[at] != 0; at = (at + 1) & mask) if (hashes[at] == hash) return false;
            hashes[at] = hash;
            numbers[at] = number + 1;
            size++;
            return true;
        }

        void Grow()
        {
            long[] formerHashes = hashes;
            int[] formerNumbers = numbers;
            hashes = new long[formerHashes.Length * 2];
            numbers = new int[hashes.Length];
            size = 0;
            for (int at = 0; at < formerHashes.Length; at++)
                if (formerNumbers[at] != 0) Add(formerHashes[at], formerNumbers[at] - 1);
        }
    }
}
