using System;

namespace Substrate.Channels
{
    /// <summary>A part of a file as memory that others see, too.</summary>
    static class Mapping
    {
        const int ReadAndWrite = 3;
        const int Shared = 1;

        /// <summary>NotMapped: the operating system refused.</summary>
        internal static IntPtr Map(int file, int offset, int length)
        {
            return Libc.mmap(IntPtr.Zero, new UIntPtr((uint)length), ReadAndWrite, Shared, file, new IntPtr(offset));
        }
    }
}
