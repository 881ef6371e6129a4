using System;
using System.Runtime.InteropServices;
using System.Text;
using Substrate.Channels;

namespace Substrate
{
    // What Mono has written about the attach to C's standard output, as long as it was not passed on: a terminal gets
    // it at once, a pipe or a file when there is more. Only these lines are taken out of the buffer; what the program's
    // own libraries have written there stays. The lock of that output is looked at and not taken: a thread that is
    // stopped for good because the program ends would have it for ever, and the program would wait for it.
    static class AttachLines
    {
        // Fields of glibc's FILE, which are part of its binary interface.
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
            // Somebody writes there, or has done so meanwhile: then the lines are on their way.
            if (left == length || IsLocked(file) || Marshal.ReadIntPtr(file, WritePointer) != end) return;
            Marshal.Copy(text, 0, from, left);
            Marshal.WriteIntPtr(file, WritePointer, new IntPtr(from.ToInt64() + left));
        }

        static bool IsLocked(IntPtr file)
        {
            IntPtr its = Marshal.ReadIntPtr(file, Lock);
            return its == IntPtr.Zero || Marshal.ReadInt32(its) != 0;
        }

        // Moves the other lines together. Gives how many bytes they are.
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
            for (int letter = 0; letter < Start.Length; letter++)
                if (text[at + letter] != Start[letter]) return false;
            return true;
        }
    }
}
