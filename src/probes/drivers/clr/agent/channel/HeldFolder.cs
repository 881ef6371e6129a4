using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using Substrate.Health;

namespace Substrate.Channels
{
    // The folder that the daemon has made for this agent, held open: its files are opened through it and not by its
    // name. It is named after the process, so that the agent finds it by itself, even when its assembly is from an
    // earlier attach.
    sealed class HeldFolder : IDisposable
    {
        const string Prefix = "substrate-clr-";
        const int Rounds = 8;
        const int StatusBytes = 256;
        const int UidAt = 20;
        const int ModeAt = 28;
        const int PrivateFolder = 0x41c0;
        const int TypeAndRights = 0xf1ff;
        const int OwnerOnly = 0x1c0;
        const int FileOfOwner = 0x180;
        static readonly string[] Parents = { "/dev/shm/", "/tmp/" };
        static readonly string[] Own = { "chan", "req", "res", "daemon.sock", "error" };
        // Values of `end`: the first one to set it decides.
        const int Removing = 1;
        const int Closed = 2;
        readonly int descriptor;
        string path;
        int end;

        HeldFolder(string path, int descriptor)
        {
            this.path = path;
            this.descriptor = descriptor;
        }

        // `path`: null where the caller did not name it. Null if no folder is the agent's.
        internal static HeldFolder Find(string path)
        {
            if (!Libc.IsKnownCpu || IntPtr.Size != 8) return null;
            if (!string.IsNullOrEmpty(path)) return Open(path);
            foreach (string parent in Parents)
            {
                HeldFolder found = Open(parent + Name());
                if (found != null) return found;
            }
            return null;
        }

        // Makes a new folder with all files that a daemon would put there, for an agent that no daemon has loaded. Its
        // name is hidden until `Publish`. Null if there is no place for one.
        internal static HeldFolder Make()
        {
            if (!Libc.IsKnownCpu || IntPtr.Size != 8) return null;
            foreach (string parent in Parents)
            {
                string made = parent + "." + Name();
                if (Libc.mkdir(made, OwnerOnly) != 0) continue;
                HeldFolder folder = Open(made);
                if (folder == null)
                {
                    Libc.rmdir(made);
                    continue;
                }
                if (folder.Furnish()) return folder;
                folder.Leave();
                folder.Dispose();
            }
            return null;
        }

        bool Furnish()
        {
            foreach (string fifo in new[] { "req", "res" })
                if (Libc.mkfifoat(descriptor, fifo, FileOfOwner) != 0) return false;
            int flags = Libc.WriteOnly | Libc.Create | Libc.Exclusive | Libc.NoFollow | Libc.CloseOnExec;
            int file = Libc.openat(descriptor, "chan", flags, FileOfOwner);
            if (file < 0) return false;
            byte[] content = Channel.NewFile();
            bool isWhole = AnswerArea.IsAllowed(content.Length)
                && Libc.write(file, content, new IntPtr(content.Length)).ToInt64() == content.Length;
            Libc.close(file);
            return isWhole;
        }

        // Renames the folder to the name that daemons search. False if an attaching daemon has a folder there, and will
        // remove it.
        internal bool Publish()
        {
            int slash = path.LastIndexOf('/');
            string place = path.Substring(0, slash + 1) + path.Substring(slash + 2);
            if (Libc.renameat(Libc.AtCurrentFolder, path, Libc.AtCurrentFolder, place) != 0) return false;
            path = place;
            return true;
        }

        static string Name()
        {
            return Prefix + Libc.getpid().ToString(CultureInfo.InvariantCulture) + "-" + StartTime();
        }

        // The 22nd word of the process's status; the second is its name, which may hold anything.
        static string StartTime()
        {
            string status = File.ReadAllText("/proc/self/stat");
            return status.Substring(status.LastIndexOf(')') + 2).Split(' ')[19];
        }

        // Another user's folder of this name is a trap: that user could call the program.
        static HeldFolder Open(string path)
        {
            int flags = Libc.OnlyFolder | Libc.NoFollow | Libc.CloseOnExec;
            int descriptor = Libc.openat(Libc.AtCurrentFolder, path, flags, 0);
            if (descriptor < 0) return null;
            var status = new byte[StatusBytes];
            IntPtr wanted = new IntPtr(0x7ff);
            IntPtr itself = new IntPtr(Libc.AtEmptyPath);
            IntPtr failed = Libc.syscall(Libc.Statx, new IntPtr(descriptor), "", itself, wanted, status);
            bool isOurs = failed == IntPtr.Zero && BitConverter.ToUInt32(status, UidAt) == Libc.geteuid()
                && (BitConverter.ToUInt16(status, ModeAt) & TypeAndRights) == PrivateFolder;
            if (isOurs) return new HeldFolder(path, descriptor);
            Libc.close(descriptor);
            return null;
        }

        // Throws if it cannot be opened.
        internal int OpenFile(string name, int flags)
        {
            int file = Libc.openat(descriptor, name, flags | Libc.NoFollow | Libc.CloseOnExec, 0);
            if (file < 0) throw ChannelFailure.Refused("opening " + name);
            return file;
        }

        // Writes why the agent did not start, in one step, so that no reader sees half of it. Never throws.
        internal void WriteReason(Exception reason)
        {
            if (Volatile.Read(ref end) == Removing) return;
            try
            {
                Libc.unlinkat(descriptor, "error.part", 0);
                int flags = Libc.WriteOnly | Libc.Create | Libc.Exclusive | Libc.NoFollow | Libc.CloseOnExec;
                int file = Libc.openat(descriptor, "error.part", flags, FileOfOwner);
                if (file < 0) return;
                byte[] text = Encoding.UTF8.GetBytes(reason.GetType().Name + ": " + reason.Message);
                Libc.write(file, text, new IntPtr(text.Length));
                Libc.close(file);
                Libc.renameat(descriptor, "error.part", descriptor, "error");
            }
            catch (Exception)
            {
                // Nothing is lost: the folder is gone, and with it the daemon that would read the reason.
            }
        }

        // Called at the end of the agent: removes its own files. All others belong to a daemon that is about to load
        // them into the program; a runtime that does not find them would end it. Never throws.
        internal void Leave()
        {
            foreach (string file in Own) Libc.unlinkat(descriptor, file, 0);
            Libc.rmdir(path);
        }

        // Called at the end of the program: removes the folder with all files in it. Never throws. The agent's thread
        // may see its daemon leave at this very moment. No lock separates the two: Mono, while it ends its threads, can
        // wait for ever for one that waits for a lock.
        internal void Remove()
        {
            if (Interlocked.CompareExchange(ref end, Removing, 0) != 0) return;
            try
            {
                string inside = "/proc/self/fd/" + descriptor.ToString(CultureInfo.InvariantCulture);
                int round = 0;
                do
                {
                    foreach (string file in FolderNames.Of(inside)) Libc.unlinkat(descriptor, file, 0);
                }
                // A daemon, or the agent's thread, may be adding a file right now.
                while (Libc.rmdir(path) != 0 && ++round < Rounds);
            }
            catch (Exception discarded)
            {
                // Another thread or process was faster.
                Discarded.Count("HeldFolder.Remove", discarded);
            }
        }

        // Not during `Remove`, whose process ends anyway.
        public void Dispose()
        {
            if (Interlocked.CompareExchange(ref end, Closed, 0) == 0) Libc.close(descriptor);
        }
    }

    // Lists a folder. The framework's own enumeration is locked while it reads, and its finalizer waits for that lock:
    // a Mono that stops the reading thread because the program ends would wait for its finalizers for ever.
    static class FolderNames
    {
        // The offset of the name within an entry, in every libc for Linux on 64 bits.
        const int NameAt = 19;

        // Empty if the folder cannot be read.
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
