using System;
using System.Runtime.InteropServices;

namespace Substrate.Channels
{
    // The two FIFOs. `req` is open all the time, so that a daemon sees that there is an agent; `res` from the first
    // call on. The agent has `res` open for reading, too: else a ring for a daemon that has just died would be a
    // SIGPIPE, which ends a program that does not expect it.
    sealed class WakeupFifo : IDisposable
    {
        static readonly byte[] One = { 1 };
        readonly HeldFolder folder;
        readonly Libc.Polled[] polled = new Libc.Polled[2];
        readonly byte[] heard = new byte[256];
        readonly Signal wake;
        int request;
        int answer = -1;

        internal WakeupFifo(HeldFolder folder)
        {
            this.folder = folder;
            wake = new Signal();
            try
            {
                request = OpenRequest();
            }
            catch (Exception)
            {
                wake.Dispose();
                throw;
            }
        }

        int OpenRequest()
        {
            return folder.OpenFile("req", Libc.ReadOnly | Libc.NonBlocking);
        }

        // Until somebody signals, leaves, or wakes this thread, or the time is up; negative: there is no limit.
        internal void Wait(int timeoutMs)
        {
            polled[0] = new Libc.Polled { Descriptor = request, Wanted = Libc.PollIn };
            polled[1] = new Libc.Polled { Descriptor = wake.Descriptor, Wanted = Libc.PollIn };
            // A signal ends the wait, too: whoever waits looks, and waits again.
            if (Libc.poll(polled, new UIntPtr(2), timeoutMs) < 0 && Marshal.GetLastWin32Error() != Libc.Interrupted)
                throw ChannelFailure.Refused("waiting for the daemon");
        }

        // Takes all wake-ups. False: no daemon has the FIFO open.
        internal bool Drain()
        {
            for (;;)
            {
                long count = Libc.read(request, heard, new IntPtr(heard.Length)).ToInt64();
                if (count > 0) continue;
                if (count == 0) return false;
                int error = Marshal.GetLastWin32Error();
                if (error == Libc.Interrupted) continue;
                if (error == Libc.NoMoreNow) return true;
                throw ChannelFailure.Refused("listening to the daemon");
            }
        }

        // A FIFO that a daemon has left says so until another one comes, which would be a wait that does not wait:
        // opened again it is as new. It is not closed before, else a daemon that comes right now would think there is
        // no agent.
        internal void AwaitAnother()
        {
            int next = OpenRequest();
            Libc.close(request);
            request = next;
        }

        // For the daemon that has called. It may not see the end of the connection before, so that one is closed last.
        internal void Open()
        {
            int next = folder.OpenFile("res", Libc.ReadWrite | Libc.NonBlocking);
            Close();
            answer = next;
        }

        // The daemon, which is there, sees that the connection ends.
        internal void Close()
        {
            if (answer >= 0) Libc.close(answer);
            answer = -1;
        }

        // A FIFO that is full will be read.
        internal void Signal()
        {
            if (answer >= 0) Libc.write(answer, One, new IntPtr(One.Length));
        }

        // From any thread: ends the wait.
        internal void Wake()
        {
            wake.Set();
        }

        public void Dispose()
        {
            Close();
            Libc.close(request);
            wake.Dispose();
        }
    }
}
