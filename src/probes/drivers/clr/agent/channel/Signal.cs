using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Substrate.Channels
{
    // Wakes one thread. The runtime's own events would do, except on Mono: see Gate.
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

        // For a thread that waits for several things; that thread may also close it.
        internal int Descriptor { get { return descriptor; } }

        // May be called from any thread.
        internal void Set()
        {
            using (gate.Enter())
            {
                if (descriptor >= 0) Libc.write(descriptor, One, new IntPtr(One.Length));
            }
        }

        // Waits until it was set since the last wait; may also return without a reason.
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

        // Call it on the thread that waits.
        public void Dispose()
        {
            using (gate.Enter())
            {
                Libc.close(descriptor);
                descriptor = -1;
            }
        }
    }

    // Lets one thread in at a time. A `lock` would do, except on Mono: a program that ends while a thread waits for one
    // may hang for ever, because Mono takes two locks of its own in different orders. The work inside usually takes
    // microseconds.
    sealed class Gate : IDisposable
    {
        const int FewRounds = 20;
        int taken;

        // Use it with `using`. It is not reentrant.
        internal Gate Enter()
        {
            for (int round = 0; Interlocked.CompareExchange(ref taken, 1, 0) != 0; round++)
            {
                if (round < FewRounds) Thread.SpinWait(50);
                else Libc.poll(null, UIntPtr.Zero, 1);
            }
            return this;
        }

        public void Dispose()
        {
            Interlocked.Exchange(ref taken, 0);
        }
    }
}
