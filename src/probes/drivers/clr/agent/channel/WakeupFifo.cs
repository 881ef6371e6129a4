using System;
using System.Runtime.InteropServices;

namespace Substrate.Channels
{
    // The two FIFOs. `req` is open all the time, so that a daemon sees that there is an agent; `res` from the first
    // call on. The agent has `res` open for reading, too: otherwise a signal to a daemon that has just died would be a
    // SIGPIPE, which ends a program that does not expect it.
    sealed class WakeupFifo : IDisposable
    {
        static readonly byte[] One = { 1 };
        readonly HeldFolder folder;
        readonly Libc.Polled[] polled = new Libc.Polled[2];
        readonly byte[] drained = new byte[256];
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

        // Waits until the other side signals or leaves, until `Wake`, or until the time is up; a negative time means no
        // limit.
        internal void Wait(int timeoutMs)
        {
            polled[0] = new Libc.Polled { Descriptor = request, Wanted = Libc.PollIn };
            polled[1] = new Libc.Polled { Descriptor = wake.Descriptor, Wanted = Libc.PollIn };
            // An interrupt by a signal ends the wait, too: the caller checks its state, and waits again.
            if (Libc.poll(polled, new UIntPtr(2), timeoutMs) < 0 && Marshal.GetLastWin32Error() != Libc.Interrupted)
                throw ChannelFailure.Refused("waiting for the daemon");
        }

        // Consumes all wake-ups. False if no daemon has the FIFO open.
        internal bool Drain()
        {
            for (;;)
            {
                long count = Libc.read(request, drained, new IntPtr(drained.Length)).ToInt64();
                if (count > 0) continue;
                if (count == 0) return false;
                int error = Marshal.GetLastWin32Error();
                if (error == Libc.Interrupted) continue;
                if (error == Libc.NoMoreNow) return true;
                throw ChannelFailure.Refused("listening to the daemon");
            }
        }

        // A FIFO that a daemon has left stays readable until another one comes, so that a wait would return at once:
        // opened again it blocks. The old one is not closed before, or a daemon that comes right now would find no
        // agent.
        internal void AwaitAnother()
        {
            int next = OpenRequest();
            Libc.close(request);
            request = next;
        }

        // Opens it for the daemon that has called. The daemon must not see the end of the previous connection before,
        // so the old descriptor is closed last.
        internal void Open()
        {
            int next = folder.OpenFile("res", Libc.ReadWrite | Libc.NonBlocking);
            Close();
            answer = next;
        }

        // The connected daemon sees that the connection ends.
        internal void Close()
        {
            if (answer >= 0) Libc.close(answer);
            answer = -1;
        }

        // A full FIFO will be read anyway.
        internal void Signal()
        {
            if (answer >= 0) Libc.write(answer, One, new IntPtr(One.Length));
        }

        // May be called from any thread: ends the wait.
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
