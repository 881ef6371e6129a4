using System;
using System.Runtime.InteropServices;

namespace Substrate.Roots
{
    // Reads this process's memory through the kernel: a wrong address is an error code, where a pointer would end the
    // program.
    class OwnMemory : IDisposable
    {
        // O_RDONLY and O_CLOEXEC.
        const int ReadOnly = 0x80000;
        readonly byte[] buffer = new byte[8];
        int file;

        internal OwnMemory()
        {
            file = open("/proc/self/mem", ReadOnly);
        }

        // True if a byte that surely exists can be read.
        internal bool IsOpen
        {
            get
            {
                byte ignored;
                return Byte((long)typeof(OwnMemory).TypeHandle.Value, out ignored);
            }
        }

        // The number of bytes that could be read from this address.
        internal virtual unsafe int Read(long address, byte[] into, int count)
        {
            if (file < 0 || address < 0x10000 || count > into.Length) return 0;
            fixed (byte* start = into)
            {
                long got = (long)pread(file, start, (IntPtr)count, address);
                return got < 0 ? 0 : (int)got;
            }
        }

        internal bool Word(long address, out long value)
        {
            bool isRead = Read(address, buffer, 8) == 8;
            value = isRead ? BitConverter.ToInt64(buffer, 0) : 0;
            return isRead;
        }

        internal bool Byte(long address, out byte value)
        {
            bool isRead = Read(address, buffer, 1) == 1;
            value = buffer[0];
            return isRead;
        }

        public void Dispose()
        {
            if (file >= 0) close(file);
            file = -1;
        }

        [DllImport("libc")]
        static extern int open(string path, int flags);

        [DllImport("libc")]
        static extern unsafe IntPtr pread(int file, byte* into, IntPtr count, long at);

        [DllImport("libc")]
        static extern int close(int file);
    }
}
