using System;
using System.Runtime.InteropServices;
using System.Text;
using Substrate.Channels;

namespace Substrate
{
    // Removes the lines that Mono has written about the attach from the buffer of C's standard output, before they are
    // flushed: a terminal gets them at once, a pipe or a file when there is more. Only these lines are removed; the
    // output of the program's own libraries stays. The lock of that output is read and not taken: a thread that is
    // stopped for good because the program ends would hold it for ever, and the program would wait for it.
    static class AttachLines
    {
        // Offsets of fields of glibc's FILE, which are part of its binary interface.
        const int WriteBase = 32;
        const int WritePointer = 40;
        const int Lock = 136;
        const int MostBuffered = 1024 * 1024;
        static readonly byte[] Start = Encoding.ASCII.GetBytes("attach: ");

        internal static void TakeBack()
        {
            if (Libc.dlsym(IntPtr.Zero, "gnu_get_libc_version") == IntPtr.Zero) return;
            IntPtr name = Libc.dlsym(IntPtr.Zero, "stdout");
            IntPtr file = name == IntPtr.Zero ? IntPtr.Zero : Marshal.ReadIntPtr(name);
            if (file == IntPtr.Zero) return;
            IntPtr from = Marshal.ReadIntPtr(file, WriteBase);
            IntPtr end = Marshal.ReadIntPtr(file, WritePointer);
            long length = end.ToInt64() - from.ToInt64();
            if (from == IntPtr.Zero || length <= 0 || length > MostBuffered) return;
            var text = new byte[length];
            Marshal.Copy(from, text, 0, text.Length);
            int left = Without(text);
            // Another thread writes there, or has done so meanwhile: then the lines cannot be removed any more.
            if (left == length || IsLocked(file) || Marshal.ReadIntPtr(file, WritePointer) != end) return;
            Marshal.Copy(text, 0, from, left);
            Marshal.WriteIntPtr(file, WritePointer, new IntPtr(from.ToInt64() + left));
        }

        static bool IsLocked(IntPtr file)
        {
            IntPtr its = Marshal.ReadIntPtr(file, Lock);
            return its == IntPtr.Zero || Marshal.ReadInt32(its) != 0;
        }

        // Moves the other lines together. Returns their length in bytes.
        static int Without(byte[] text)
        {
            int kept = 0;
            for (int at = 0; at < text.Length;)
            {
                int end = Array.IndexOf(text, (byte)'\n', at);
                end = end < 0 ? text.Length : end + 1;
                if (!IsOfAttach(text, at, end))
                {
                    Buffer.BlockCopy(text, at, text, kept, end - at);
                    kept += end - at;
                }
                at = end;
            }
            return kept;
        }

        static bool IsOfAttach(byte[] text, int at, int end)
        {
            if (end - at < Start.Length) return false;
            for (int index = 0; index < Start.Length; index++)
                if (text[at + index] != Start[index]) return false;
            return true;
        }
    }
}
