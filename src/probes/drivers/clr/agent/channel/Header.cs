using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Substrate.Channels
{
    // The first part of the channel's file, up to the answers, as memory. Channel has its layout.
    sealed unsafe class Header : IDisposable
    {
        readonly byte* memory;

        internal Header(int file)
        {
            IntPtr mapped = Mapping.Map(file, 0, AnswerArea.Start);
            if (mapped == Libc.NotMapped) throw ChannelFailure.Refused("mapping the channel");
            memory = (byte*)mapped;
        }

        internal ulong Magic { get { return *(ulong*)memory; } }

        // Everything that the other side wrote before this value can be read after it.
        internal int Get(int at)
        {
            int value = *(int*)(memory + at);
            Thread.MemoryBarrier();
            return value;
        }

        // A reader of this value can read everything that was written before it.
        internal void Set(int at, int value)
        {
            Thread.MemoryBarrier();
            *(int*)(memory + at) = value;
        }

        internal byte[] Copy(int at, int length)
        {
            var bytes = new byte[length];
            Marshal.Copy((IntPtr)(memory + at), bytes, 0, length);
            return bytes;
        }

        public void Dispose()
        {
            Libc.munmap((IntPtr)memory, new UIntPtr(AnswerArea.Start));
        }
    }

    // A shared memory mapping of a part of a file.
    static class Mapping
    {
        const int ReadAndWrite = 3;
        const int Shared = 1;

        // NotMapped if the operating system refused.
        internal static IntPtr Map(int file, int offset, int length)
        {
            return Libc.mmap(IntPtr.Zero, new UIntPtr((uint)length), ReadAndWrite, Shared, file, new IntPtr(offset));
        }
    }
}
