using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Substrate.Channels
{
    // The part of the file that answers are written to. It grows for large ones, by writing zeros: a file that is only
    // made longer has no memory behind it yet, and on a full file system the program would die at the first access. The
    // memory is given back before the next small answer. Only one thread at a time uses it.
    sealed class AnswerArea : IDisposable
    {
        internal const int Start = 65536;
        internal const int Step = 65536;
        // Larger answers go in parts: the memory counts for the program's container.
        const int Most = 1024 * 1024;
        static readonly byte[] Zeros = new byte[Step];
        readonly int file;
        readonly int most;
        IntPtr memory;
        int size;

        internal AnswerArea(int file)
        {
            this.file = file;
            most = MostAllowed();
            memory = Map(Step);
            if (memory == Libc.NotMapped) throw ChannelFailure.Refused("mapping the answer area");
            size = Step;
        }

        // A process that writes beyond its file size limit is killed.
        internal static bool IsAllowed(int length)
        {
            Libc.ResourceLimit limit;
            return Libc.getrlimit(Libc.FileSizeLimit, out limit) == 0 && limit.Now >= (ulong)length;
        }

        static int MostAllowed()
        {
            Libc.ResourceLimit limit;
            if (Libc.getrlimit(Libc.FileSizeLimit, out limit) != 0 || limit.Now >= Start + Most) return Most;
            return Math.Max(Step, ((int)limit.Now - Start) / Step * Step);
        }

        // Makes room for a message of this length. The content of the area is lost.
        internal void MakeRoom(int length)
        {
            int wanted = length >= most ? most : Math.Max(Step, (length + Step - 1) / Step * Step);
            if (wanted > size) Grow(wanted);
            else if (wanted == Step && size > Step) Shrink();
        }

        internal int Size { get { return size; } }

        internal void Write(byte[] bytes, int start, int at, int length)
        {
            Marshal.Copy(bytes, start, new IntPtr(memory.ToInt64() + at), length);
        }

        void Grow(int wanted)
        {
            int reached = size;
            while (reached < wanted && WriteZeros(Start + reached)) reached += Step;
            if (reached > size && MoveTo(reached)) size = reached;
            // A step was written in part, or the memory cannot be mapped: the file is cut back.
            if (size < wanted) Libc.ftruncate(file, new IntPtr(Start + size));
        }

        void Shrink()
        {
            if (!MoveTo(Step)) return;
            size = Step;
            Libc.ftruncate(file, new IntPtr(Start + Step));
        }

        bool WriteZeros(int offset)
        {
            for (int done = 0; done < Step;)
            {
                int left = Step - done;
                long count = Libc.pwrite(file, Zeros, new IntPtr(left), new IntPtr(offset + done)).ToInt64();
                if (count > 0) done += (int)count;
                else if (count == 0 || Marshal.GetLastWin32Error() != Libc.Interrupted) return false;
            }
            return true;
        }

        // False if the old mapping is still in use.
        bool MoveTo(int length)
        {
            IntPtr moved = Map(length);
            if (moved == Libc.NotMapped) return false;
            Libc.munmap(memory, new UIntPtr((uint)size));
            memory = moved;
            return true;
        }

        IntPtr Map(int length)
        {
            return Mapping.Map(file, Start, length);
        }

        public void Dispose()
        {
            Libc.munmap(memory, new UIntPtr((uint)size));
        }
    }

    // A message that is being sent, in the pieces in which it was made: they are never joined.
    sealed class Outgoing
    {
        readonly List<ArraySegment<byte>> pieces = new List<ArraySegment<byte>>();
        int piece;
        int offset;

        // A message is sent as a frame: its length, then its bytes.
        internal Outgoing(IList<ArraySegment<byte>> message, int length)
        {
            byte[] head = BitConverter.GetBytes(length);
            pieces.Add(new ArraySegment<byte>(head));
            pieces.AddRange(message);
            Left = head.Length + length;
        }

        internal int Left { get; private set; }

        // Copies the next bytes there; returns their checksum.
        internal uint MoveTo(AnswerArea area, int length)
        {
            uint sum = 0;
            for (int at = 0; at < length;)
            {
                ArraySegment<byte> from = pieces[piece];
                int count = Math.Min(from.Count - offset, length - at);
                area.Write(from.Array, from.Offset + offset, at, count);
                sum = Crc32.More(sum, from.Array, from.Offset + offset, count);
                at += count;
                offset += count;
                if (offset < from.Count) continue;
                piece++;
                offset = 0;
            }
            Left -= length;
            return sum;
        }
    }
}
