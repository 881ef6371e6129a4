using System;
using System.Threading;

namespace Substrate.Act
{
    // Runs code of the app with a time limit, on a thread of its own or on one of the app that takes work. A thread is
    // never aborted, because that could leave anything half done. Two things cannot be caught: a stack overflow, and a
    // process that ends itself.
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

        // The number of calls that have not returned, including those whose time is over.
        internal static int Running
        {
            get { return Thread.VolatileRead(ref running); }
        }

        // Runs on a thread of its own. Exceptions of the call are part of the result.
        internal static TimedResult Run(Func<object> call, int timeoutMs)
        {
            return Run(call, timeoutMs, work => Threads.Start(ThreadName, Threads.Usual, work));
        }

        // `post` passes the work to the thread that has to do it, and does not wait.
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
            // Work that has not begun by now must not run later.
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

    // The result of a call with a time limit.
    sealed class TimedResult
    {
        // True if it returned in time, with a value or an exception.
        internal readonly bool IsFinished;
        // False if it was cancelled before the thread began it: nothing ran.
        internal readonly bool IsBegun;
        internal readonly object Value;
        // Null if it threw nothing.
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
