using System;
using System.Runtime.InteropServices;

namespace Substrate.Channels
{
    // Direct calls of the operating system. The framework's own file classes do more than is wanted: they block where
    // nothing may block, and cannot wait for two things at once.
    static class Libc
    {
        internal const int ReadOnly = 0;
        internal const int WriteOnly = 1;
        internal const int ReadWrite = 2;
        internal const int Create = 0x40;
        internal const int Exclusive = 0x80;
        internal const int NonBlocking = 0x800;
        internal const int CloseOnExec = 0x80000;
        internal const int AtCurrentFolder = -100;
        internal const int AtEmptyPath = 0x1000;
        internal const int Interrupted = 4;
        internal const int NoMoreNow = 11;
        internal const int NotPossible = 22;
        internal const short PollIn = 1;
        internal const int FileSizeLimit = 1;
        internal const int FromEnd = 2;
        internal const int SocketLevel = 1;
        internal const int TakesConnections = 30;
        // These numbers differ between CPUs.
        internal static readonly bool IsArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;
        internal static readonly bool IsKnownCpu = IsArm || RuntimeInformation.ProcessArchitecture == Architecture.X64;
        internal static readonly int OnlyFolder = IsArm ? 0x4000 : 0x10000;
        internal static readonly int NoFollow = IsArm ? 0x8000 : 0x20000;
        internal static readonly IntPtr Statx = new IntPtr(IsArm ? 291 : 332);
        internal static readonly IntPtr NotMapped = new IntPtr(-1);

        [StructLayout(LayoutKind.Sequential)]
        internal struct Polled
        {
            internal int Descriptor;
            internal short Wanted;
            internal short Got;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct ResourceLimit
        {
            internal ulong Now;
            internal ulong AtMost;
        }

        [DllImport("libc", SetLastError = true)]
        internal static extern int openat(int folder, string name, int flags, int mode);

        [DllImport("libc")]
        internal static extern int close(int descriptor);

        [DllImport("libc", SetLastError = true)]
        internal static extern IntPtr read(int descriptor, byte[] buffer, IntPtr count);

        [DllImport("libc", SetLastError = true)]
        internal static extern IntPtr write(int descriptor, byte[] buffer, IntPtr count);

        [DllImport("libc", SetLastError = true)]
        internal static extern IntPtr pwrite(int descriptor, byte[] buffer, IntPtr count, IntPtr offset);

        [DllImport("libc")]
        internal static extern IntPtr lseek(int descriptor, IntPtr offset, int whence);

        [DllImport("libc", SetLastError = true)]
        internal static extern int ftruncate(int descriptor, IntPtr length);

        [DllImport("libc", SetLastError = true)]
        internal static extern int poll([In, Out] Polled[] descriptors, UIntPtr count, int timeoutMs);

        [DllImport("libc", SetLastError = true)]
        internal static extern IntPtr mmap(
            IntPtr at, UIntPtr length, int access, int flags, int descriptor, IntPtr offset);

        [DllImport("libc")]
        internal static extern int munmap(IntPtr at, UIntPtr length);

        [DllImport("libc", SetLastError = true)]
        internal static extern int eventfd(uint start, int flags);

        [DllImport("libc", SetLastError = true)]
        internal static extern int renameat(int folder, string name, int newFolder, string newName);

        [DllImport("libc")]
        internal static extern int unlinkat(int folder, string name, int flags);

        [DllImport("libc")]
        internal static extern int rmdir(string path);

        [DllImport("libc")]
        internal static extern int mkdir(string path, int mode);

        [DllImport("libc", SetLastError = true)]
        internal static extern int mkfifoat(int folder, string name, int mode);

        [DllImport("libc")]
        internal static extern IntPtr opendir(string path);

        [DllImport("libc")]
        internal static extern IntPtr readdir(IntPtr folder);

        [DllImport("libc")]
        internal static extern int closedir(IntPtr folder);

        [DllImport("libc")]
        internal static extern int getrlimit(int what, out ResourceLimit limit);

        [DllImport("libc")]
        internal static extern int getpid();

        [DllImport("libc")]
        internal static extern uint geteuid();

        [DllImport("libc", SetLastError = true)]
        internal static extern IntPtr syscall(
            IntPtr number, IntPtr folder, string name, IntPtr flags, IntPtr mask, byte[] result);

        [DllImport("libc")]
        internal static extern int getsockname(int descriptor, byte[] address, ref int length);

        [DllImport("libc")]
        internal static extern int getsockopt(int descriptor, int level, int option, ref int value, ref int length);

        [DllImport("libc", SetLastError = true)]
        internal static extern int accept4(int descriptor, IntPtr address, IntPtr length, int flags);

        [DllImport("libc")]
        internal static extern int shutdown(int descriptor, int how);

        [DllImport("libc")]
        internal static extern IntPtr dlsym(IntPtr library, string name);
    }
}
