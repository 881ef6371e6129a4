using System;
using System.Reflection;
using Substrate.Health;

namespace Substrate.State
{
    // Computes the room for leaves, and for characters of paths and texts: in the heap of the app, and in the daemon's
    // limits.
    sealed class HeapGuard
    {
        // The agent takes at most this fraction of the free memory.
        const int Part = 10;
        // The bytes of one leaf: table, walk and report together.
        const int BytesPerLeaf = 300;
        // The same where there is more than fits: the walk is repeated, and defers much.
        const int BytesPerSharedLeaf = 600;
        const int Least = 1000;
        // A character is up to three bytes of the report, or six if it has to be escaped.
        const int BytesPerCharacter = 6;
        const long MostCharacters = 32L * 1024 * 1024;
        // The agent's code, stacks and channel, with the runtime's data about them, take about this much, whatever is
        // read.
        const long OwnBytes = 10L * 1024 * 1024;
        readonly int maxKeys;
        readonly long allowed;
        readonly long most;
        int cap;
        int ceiling;

        internal HeapGuard(int maxKeys, double memoryBytes)
        {
            allowed = Whole(Math.Max(memoryBytes / 4, memoryBytes - OwnBytes));
            this.maxKeys = maxKeys;
            ceiling = maxKeys;
            cap = maxKeys;
            // Practically no limit where the runtime does not report one.
            most = MemoryInfo.Available ?? long.MaxValue / 2;
            CharactersPerLeaf = int.MaxValue;
        }

        // A cast of a double that no long holds is undefined: arm64 and .NET 9 give the largest long, Mono and .NET
        // Core 3.1 on x64 the smallest.
        internal static long Whole(double bytes)
        {
            // The largest double below 2^63: the next one is 2^63 itself.
            const double Largest = 9223372036854774784.0;
            if (double.IsNaN(bytes)) return 0;
            return (long)Math.Max(0, Math.Min(Largest, bytes));
        }

        // A leaf with more characters counts as several.
        internal int CharactersPerLeaf { get; private set; }

        // The cap is constant between full reports, unless the heap has become much smaller: leaves must not come and
        // go with it.
        internal int Cap(bool full)
        {
            long free = Math.Max(0, most - GC.GetTotalMemory(false));
            long bytes = Math.Min(allowed, Math.Max(Least * BytesPerLeaf, free / Part));
            int room = (int)Math.Min(int.MaxValue, Math.Max(1, bytes / BytesPerLeaf));
            if (full || room < cap / 2)
            {
                int leaves = Math.Max(1, Math.Min(maxKeys, room));
                cap = Math.Min(ceiling, leaves);
                long characters = Math.Min(MostCharacters, Math.Min(free, allowed) / BytesPerCharacter);
                CharactersPerLeaf = (int)Math.Max(1, characters / leaves);
            }
            return cap;
        }

        // The cap if there is more than fits.
        internal int Tighten()
        {
            return cap = (int)Math.Max(1, Math.Min(cap, allowed / BytesPerSharedLeaf));
        }

        // Whether memory was the limit that this many leaves, or their weight, reached.
        internal bool IsWhy(int count, int used)
        {
            return cap < maxKeys || used > count;
        }

        // The heap was too small for the last cap.
        internal void Shrink()
        {
            ceiling = Math.Max(1, Math.Min(ceiling, cap / 4));
            cap = Math.Min(cap, ceiling);
        }
    }

    // .NET's own figures on its memory, since version 3; Mono has none.
    static class MemoryInfo
    {
        // The limit of its container or its settings; null if it is not known.
        internal static long? Available
        {
            get { return Ask("TotalAvailableMemoryBytes"); }
        }

        // The live bytes after the last collection or, where that is not known, the bytes in use now.
        internal static long Alive
        {
            get { return Ask("HeapSizeBytes") ?? GC.GetTotalMemory(false); }
        }

        static long? Ask(string property)
        {
            try
            {
                MethodInfo ask = typeof(GC).GetMethod("GetGCMemoryInfo", Type.EmptyTypes);
                object info = ask == null ? null : ask.Invoke(null, null);
                PropertyInfo found = info == null ? null : info.GetType().GetProperty(property);
                long bytes = found == null ? 0 : (long)found.GetValue(info, null);
                return bytes > 0 ? bytes : (long?)null;
            }
            catch (Exception discarded)
            {
                Discarded.Count("HeapGuard.Ask", discarded);
                return null;
            }
        }
    }
}
