using System;

namespace Substrate.State
{
    /// <summary>
    /// How many leaves, and how many characters of paths and texts, the heap of the app has room for.
    /// </summary>
    sealed class HeapGuard
    {
        /// <summary>Of what is free, the agent takes no more than this part.</summary>
        const int Part = 10;
        /// <summary>What one leaf costs: table, walk and report together.</summary>
        const int BytesPerLeaf = 200;
        const int Least = 1000;
        /// <summary>
        /// A character is up to three bytes of the report, or six if it has to be escaped; a text may be kept
        /// besides.
        /// </summary>
        const int BytesPerCharacter = 20;
        const long MostCharacters = 32L * 1024 * 1024;
        readonly int maxKeys;
        readonly long most;
        int cap;
        int ceiling;

        internal HeapGuard(int maxKeys)
        {
            this.maxKeys = maxKeys;
            ceiling = maxKeys;
            cap = maxKeys;
            // As good as no limit where the runtime does not tell one.
            most = MemoryInfo.Available ?? long.MaxValue / 2;
            CharactersPerLeaf = int.MaxValue;
        }

        /// <summary>A leaf with more characters counts as several.</summary>
        internal int CharactersPerLeaf { get; private set; }

        /// <summary>
        /// Stays between full reports, unless the heap has become much smaller: leaves must not come and go with it.
        /// </summary>
        internal int Cap(bool full)
        {
            long free = Math.Max(0, most - GC.GetTotalMemory(false));
            int room = (int)Math.Min(int.MaxValue, Math.Max(Least, free / Part / BytesPerLeaf));
            if (full || room < cap / 2)
            {
                int leaves = Math.Max(1, Math.Min(maxKeys, room));
                cap = Math.Min(ceiling, leaves);
                long characters = Math.Min(MostCharacters, free / BytesPerCharacter);
                CharactersPerLeaf = (int)Math.Max(1, characters / leaves);
            }
            return cap;
        }

        /// <summary>The heap was too small for that many.</summary>
        internal void Shrink()
        {
            ceiling = Math.Max(1, Math.Min(ceiling, cap / 4));
            cap = Math.Min(cap, ceiling);
        }
    }
}
