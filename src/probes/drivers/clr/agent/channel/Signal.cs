using System;
using System.Runtime.InteropServices;
using System.Threading;

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

    // Lets one thread in at a time. A `lock` would do, but for Mono: a program that ends while a thread waits for one
    // may hang for ever, because Mono takes two locks of its own in different orders. What is done inside takes
    // microseconds as a rule.
    sealed class Gate : IDisposable
    {
        const int FewRounds = 20;
        int taken;

        // For a `using`. Not twice by the same thread.
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
