using System;
using System.Threading;

namespace Substrate.Act
{
    // Runs code of the app and waits for it no longer than allowed: on a thread of its own, or on another that takes
    // work. A thread is never aborted: that could leave anything half done. Two things cannot be caught by anybody: a
    // stack that overflows and a process that ends itself.
    sealed class TimedCall
    {
        internal const string ThreadName = "substrate-call";
        internal const int MaxRunning = 32;
        const int Waiting = 0;
        const int Begun = 1;
        const int TakenBack = 2;
        static int running;

        readonly Func<object> call;
        readonly ManualResetEvent done = new ManualResetEvent(false);
        int phase = Waiting;
        object value;
        Thrown thrown;

        TimedCall(Func<object> call)
        {
            this.call = call;
        }

        // Calls that have not come back, those among them whose time is over.
        internal static int Running
        {
            get { return Thread.VolatileRead(ref running); }
        }

        // On a thread of its own. Never throws what the call throws.
        internal static TimedResult Run(Func<object> call, int timeoutMs)
        {
            return Run(call, timeoutMs, work => Threads.Start(ThreadName, Threads.Usual, work));
        }

        // `post` hands the work to the thread that is to do it, and does not wait for it.
        internal static TimedResult Run(Func<object> call, int timeoutMs, Action<Action> post)
        {
            if (Interlocked.Increment(ref running) > MaxRunning)
            {
                Interlocked.Decrement(ref running);
                throw new Busy(MaxRunning + " earlier calls are still running");
            }
            var timed = new TimedCall(call);
            try
            {
                post(timed.Work);
            }
            catch (Exception refused)
            {
                Interlocked.Decrement(ref running);
                throw new NotDispatched("it could not be handed over: " + new Thrown(refused).Text);
            }
            return timed.ResultWithin(timeoutMs);
        }

        TimedResult ResultWithin(int timeoutMs)
        {
            if (done.WaitOne(timeoutMs)) return new TimedResult(true, true, value, thrown);
            // What has not begun by now must not surprise anyone later.
            bool isBegun = Interlocked.CompareExchange(ref phase, TakenBack, Waiting) != Waiting;
            if (!isBegun) Interlocked.Decrement(ref running);
            return new TimedResult(false, isBegun, null, null);
        }

        void Work()
        {
            if (Interlocked.CompareExchange(ref phase, Begun, Waiting) != Waiting) return;
            try
            {
                value = call();
            }
            catch (Exception exception)
            {
                thrown = new Thrown(exception);
            }
            finally
            {
                Interlocked.Decrement(ref running);
                done.Set();
            }
        }
    }

    // What came of a call that was given a limited time.
    sealed class TimedResult
    {
        // It came back in time, with a value or an exception.
        internal readonly bool IsFinished;
        // False: it was taken back before the thread came to it, nothing ran.
        internal readonly bool IsBegun;
        internal readonly object Value;
        // Null: it threw nothing.
        internal readonly Thrown Thrown;

        internal TimedResult(bool isFinished, bool isBegun, object value, Thrown thrown)
        {
            IsFinished = isFinished;
            IsBegun = isBegun;
            Value = value;
            Thrown = thrown;
        }
    }
}
