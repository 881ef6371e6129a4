using System;
using System.Threading;

namespace Substrate.Channels
{
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
