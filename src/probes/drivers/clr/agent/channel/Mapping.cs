using System;

namespace Substrate.Channels
{
    // A part of a file as memory that others see, too.
    static class Mapping
    {
        const int ReadAndWrite = 3;
        const int Shared = 1;

        // NotMapped: the operating system refused.
        internal static IntPtr Map(int file, int offset, int length)
        {
            return Libc.mmap(IntPtr.Zero, new UIntPtr((uint)length), ReadAndWrite, Shared, file, new IntPtr(offset));
        }
    }
}
