using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Substrate.Channels
{
    // What is in a folder. The framework's own way is locked while it reads, and its finalizer waits for that lock: a
    // Mono that stops the reading thread because the program ends would wait for its finalizers for ever.
    static class FolderNames
    {
        // Of the name within an entry, in every libc for Linux on 64 bits.
        const int NameAt = 19;

        // Empty where the folder cannot be read.
        internal static List<string> Of(string path)
        {
            var names = new List<string>();
            IntPtr folder = Libc.opendir(path);
            if (folder == IntPtr.Zero) return names;
            try
            {
                for (IntPtr entry = Libc.readdir(folder); entry != IntPtr.Zero; entry = Libc.readdir(folder))
                {
                    string name = Marshal.PtrToStringAnsi(new IntPtr(entry.ToInt64() + NameAt));
                    if (name != "." && name != "..") names.Add(name);
                }
            }
            finally
            {
                Libc.closedir(folder);
            }
            return names;
        }
    }
}
