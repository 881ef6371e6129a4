using System;
using System.Runtime.InteropServices;

namespace Substrate.Channels
{
    // Wakes one thread. The runtime's own means would do, but for Mono: see Gate.
    sealed class Signal : IDisposable
    {
        static readonly byte[] One = { 1, 0, 0, 0, 0, 0, 0, 0 };
        readonly Gate gate = new Gate();
        readonly byte[] count = new byte[8];
        readonly Libc.Polled[] polled = new Libc.Polled[1];
        int descriptor;

        internal Signal()
        {
            descriptor = Libc.eventfd(0, Libc.NonBlocking | Libc.CloseOnExec);
            if (descriptor < 0) throw ChannelFailure.Refused("making a file for events");
        }

        // For who waits for more than this; the thread that does may also close it.
        internal int Descriptor { get { return descriptor; } }

        // From any thread.
        internal void Set()
        {
            using (gate.Enter())
            {
                if (descriptor >= 0) Libc.write(descriptor, One, new IntPtr(One.Length));
            }
        }

        // Until it was set since the last wait; it may also return for nothing.
        internal void Wait()
        {
            polled[0] = new Libc.Polled { Descriptor = descriptor, Wanted = Libc.PollIn };
            if (Libc.poll(polled, new UIntPtr(1), -1) < 0 && Marshal.GetLastWin32Error() != Libc.Interrupted)
                throw ChannelFailure.Refused("waiting");
            Clear();
        }

        internal void Clear()
        {
            Libc.read(descriptor, count, new IntPtr(count.Length));
        }

        // On the thread that waits.
        public void Dispose()
        {
            using (gate.Enter())
            {
                Libc.close(descriptor);
                descriptor = -1;
            }
        }
    }
}
