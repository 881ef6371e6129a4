namespace Substrate.Read
{
    // A 64-bit hash of a path: collisions are practically impossible.
    static class Hash
    {
        internal const long Start = unchecked((long)0x9E3779B97F4A7C15UL);
        const long Name = unchecked((long)0xC2B2AE3D27D4EB4FUL);
        const long Position = 0x165667B19E3779F9L;
        const long Factor = unchecked((long)0xD6E8FEB86659FD93UL);

        internal static long Of(string name)
        {
            long hash = Name;
            for (int at = 0; at < name.Length; at++) hash = unchecked((hash ^ name[at]) * 0x100000001B3L);
            return Mix(hash);
        }

        internal static long Of(int index)
        {
            return Mix(unchecked(Position + index));
        }

        // The hash of `path` followed by a segment.
        internal static long Join(long path, long segment)
        {
            return Mix(unchecked(path * 31 + segment));
        }

        static long Mix(long value)
        {
            ulong mixed = (ulong)value;
            mixed = unchecked((mixed ^ mixed >> 32) * (ulong)Factor);
            mixed = unchecked((mixed ^ mixed >> 32) * (ulong)Factor);
            return (long)(mixed ^ mixed >> 32);
        }
    }
}
