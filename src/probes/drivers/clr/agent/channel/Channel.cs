using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;

namespace Substrate.Channels
{
    // The agent's end of the way to the daemon: a file that is mapped into memory, and two FIFOs as wake-ups. The
    // same words stand in ../../channel/mapped-stream.ts. All numbers are u32, little endian.
    //
    //      0  `SUBSTCLR`
    //      8  version of this layout: 2
    //     12  lease in ms: how long the agent waits for a daemon before it ends; 0: five minutes
    //     16  called: the daemon's number for its connection, another than the last
    //     20  served: the number of the connection that the agent serves
    //     64  mailbox of requests, 128 mailbox of answers:
    //           +0 number of the last part written, +4 of the last part taken, +8 length of the part, +12 its CRC-32
    //   4096  request area
    //  65536  answer area, which the agent grows and shrinks (a multiple of the largest pages: it is mapped by itself)
    //
    // A part is written only when the part before it was taken: first its bytes, then its length and sum, its number
    // last; then the writer signals. The reader copies it, checks it, writes its number as taken, and signals back. Both directions are
    // independent of each other. A wake-up is a hint and nothing more: the reader checks the file. The parts of each
    // direction are a stream of frames: the length of a message in bytes, as u32, and the message.
    //
    // A connection begins when the daemon has both FIFOs open, writes `called` and signals. The agent forgets what
    // lies in the mailboxes, sets all their numbers to 0, writes `served`, and signals: from then on both sides count
    // from 0, whatever an earlier daemon was doing when it died. It ends when either side closes its end of the
    // FIFOs. The agent keeps `req` open all its life, so whoever can open it for writing knows that there is an
    // agent.
    //
    // The agent makes the file larger by writing zeros: memory that was promised but is not there (a hole in a file,
    // on a file system that is full) would end the program when it is touched. Where it cannot grow, more parts are
    // sent.
    sealed class Channel : IDisposable
    {
        const ulong Magic = 0x524c435453425553;
        const int Layout = 2;
        const int AtLayout = 8;
        const int AtLease = 12;
        const int AtCalled = 16;
        const int AtServed = 20;
        const int AtRequest = 64;
        const int AtAnswer = 128;
        const int Written = 0;
        const int Taken = 4;
        const int Length = 8;
        const int Sum = 12;
        const int RequestArea = 4096;
        const int FrameHead = 4;
        readonly WakeupFifo wakeup;
        readonly int file;
        readonly Header header;
        readonly AnswerArea answers;
        // The holder may write a message; others wait for its last part.
        readonly Gate turn = new Gate();
        // Guards the mailbox of answers, the area, and the current connection.
        readonly Gate gate = new Gate();
        // Wakes the holder of the turn: a part was taken, or the connection has ended.
        readonly Signal news = new Signal();
        readonly MemoryStream incoming = new MemoryStream();
        int served;
        bool isServing;

        // Throws unless a daemon has just made the file.
        internal Channel(HeldFolder folder, WakeupFifo wakeup)
        {
            this.wakeup = wakeup;
            file = -1;
            try
            {
                file = folder.OpenFile("chan", Libc.ReadWrite);
                // An access behind the end of a file ends the program.
                long size = Libc.lseek(file, IntPtr.Zero, Libc.FromEnd).ToInt64();
                if (size < AnswerArea.Start + AnswerArea.Step) throw new ChannelFailure("the channel is cut short");
                header = new Header(file);
                if (header.Magic != Magic || header.Get(AtLayout) != Layout)
                    throw new ChannelFailure("the channel is of another version");
                served = header.Get(AtServed);
                answers = new AnswerArea(file);
            }
            catch (Exception)
            {
                if (header != null) header.Dispose();
                if (file >= 0) Libc.close(file);
                news.Dispose();
                throw;
            }
        }

        // The content of a new file.
        internal static byte[] NewFile()
        {
            var content = new byte[AnswerArea.Start + AnswerArea.Step];
            BitConverter.GetBytes(Magic).CopyTo(content, 0);
            BitConverter.GetBytes(Layout).CopyTo(content, AtLayout);
            return content;
        }

        internal int LeaseMs
        {
            get
            {
                int lease = header.Get(AtLease);
                return lease > 0 ? lease : Protocol.LeaseMs;
            }
        }

        // True if a daemon requests a connection, and does not have it yet.
        internal bool IsCalled { get { return header.Get(AtCalled) != served; } }

        // Returns the number of the connection.
        internal int Begin()
        {
            using (gate.Enter())
            {
                served = header.Get(AtCalled);
                isServing = true;
                incoming.SetLength(0);
                foreach (int box in new[] { AtRequest, AtAnswer })
                {
                    header.Set(box + Written, 0);
                    header.Set(box + Taken, 0);
                }
                wakeup.Open();
                header.Set(AtServed, served);
                wakeup.Signal();
                news.Set();
                return served;
            }
        }

        // `isThere`: the daemon is to see the end. A daemon that comes just now would take it for the end of its own
        // connection.
        internal void End(bool isThere)
        {
            using (gate.Enter())
            {
                isServing = false;
                if (isThere) wakeup.Close();
                news.Set();
            }
        }

        // The daemon may have taken a part: a waiting sender may go on.
        internal void WakeSenders()
        {
            news.Set();
        }

        // The next complete request; null if there is none yet. Throws on a malformed one. Call it on one thread only.
        internal byte[] Receive()
        {
            for (;;)
            {
                byte[] message = Complete();
                if (message != null) return message;
                int written = header.Get(AtRequest + Written);
                if (written == header.Get(AtRequest + Taken)) return null;
                TakePart();
                header.Set(AtRequest + Taken, written);
                wakeup.Signal();
            }
        }

        // The first message, if all its bytes have come; otherwise null.
        byte[] Complete()
        {
            if (incoming.Length < FrameHead) return null;
            byte[] bytes = incoming.GetBuffer();
            int length = BitConverter.ToInt32(bytes, 0);
            if (length < 0 || length > Protocol.MaxMessage) throw new ChannelFailure("a request is too long");
            int end = FrameHead + length;
            if (incoming.Length < end) return null;
            var message = new byte[length];
            Buffer.BlockCopy(bytes, FrameHead, message, 0, length);
            int rest = (int)incoming.Length - end;
            Buffer.BlockCopy(bytes, end, bytes, 0, rest);
            incoming.SetLength(rest);
            return message;
        }

        void TakePart()
        {
            int length = header.Get(AtRequest + Length);
            if (length <= 0 || length > AnswerArea.Start - RequestArea) throw new ChannelFailure("a request is out of bounds");
            byte[] part = header.Copy(RequestArea, length);
            if (Crc32.Of(part, 0, length) != (uint)header.Get(AtRequest + Sum)) throw new ChannelFailure("a request is damaged");
            incoming.Write(part, 0, length);
        }

        // May be called from any thread. False if the connection of this number has ended.
        internal bool Send(int connection, IList<ArraySegment<byte>> message, int length)
        {
            if (length > Protocol.MaxMessage) throw new ChannelFailure("the answer is too long");
            using (turn.Enter())
            {
                var rest = new Outgoing(message, length);
                for (bool isFirst = true; rest.Left > 0; isFirst = false)
                    if (!SendPart(connection, rest, isFirst)) return false;
            }
            return true;
        }

        // False if the connection has ended.
        bool SendPart(int connection, Outgoing message, bool isFirst)
        {
            for (;;)
            {
                using (gate.Enter())
                {
                    if (!IsServed(connection)) return false;
                    bool isFree = header.Get(AtAnswer + Written) == header.Get(AtAnswer + Taken);
                    if (isFree)
                    {
                        WritePart(message, isFirst);
                        return true;
                    }
                }
                news.Wait();
            }
        }

        void WritePart(Outgoing message, bool isFirst)
        {
            if (isFirst) answers.MakeRoom(message.Left);
            int length = Math.Min(answers.Size, message.Left);
            uint sum = message.MoveTo(answers, length);
            header.Set(AtAnswer + Length, length);
            header.Set(AtAnswer + Sum, (int)sum);
            header.Set(AtAnswer + Written, header.Get(AtAnswer + Written) + 1);
            wakeup.Signal();
        }

        bool IsServed(int connection)
        {
            return isServing && served == connection;
        }

        // Waits for the holder of the turn, which sees that the connection has ended.
        public void Dispose()
        {
            using (gate.Enter()) isServing = false;
            news.Set();
            using (turn.Enter())
            {
                news.Dispose();
                answers.Dispose();
                header.Dispose();
                Libc.close(file);
            }
        }
    }

    // The channel to the daemon cannot be used.
    sealed class ChannelFailure : Exception
    {
        internal ChannelFailure(string message) : base(message) { }

        // Made right after the operating system refused a call.
        internal static ChannelFailure Refused(string what)
        {
            string number = Marshal.GetLastWin32Error().ToString(CultureInfo.InvariantCulture);
            return new ChannelFailure(what + " failed with error " + number);
        }
    }
}
