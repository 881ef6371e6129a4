using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Substrate.Forms
{
    // What is remembered of a window or control as long as it lives. Holds nothing of the app.
    sealed class Memory
    {
        const int StartRows = 200;
        const int MinRows = 5;
        static readonly TimeSpan Quiet = TimeSpan.FromMinutes(1);
        static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(20);
        static readonly TimeSpan VerySlow = TimeSpan.FromMilliseconds(200);

        // By which the daemon knows it.
        internal readonly int Id;
        internal readonly WeakReference Control;
        // It was seen ticked once: it is something that can be.
        internal bool IsTick;
        // What was last read, for the time in which it is not read.
        internal Rows LastRows;
        internal int MaxRows = StartRows;
        DateTime quietUntil;

        Memory(object control, int id)
        {
            Control = new WeakReference(control);
            Id = id;
        }

        internal bool MayAsk => DateTime.UtcNow >= quietUntil;

        // What throws is left alone for a minute.
        internal void Threw()
        {
            quietUntil = DateTime.UtcNow + Quiet;
        }

        // What makes the thread of the window wait is asked for less, or not at all for a minute.
        internal void Took(TimeSpan time)
        {
            if (time > Slow) MaxRows = Math.Max(MinRows, MaxRows / 2);
            if (time > VerySlow) Threw();
        }

        // By identity, and without keeping anything alive.
        internal sealed class Registry
        {
            readonly ConditionalWeakTable<object, Memory> memories = new ConditionalWeakTable<object, Memory>();
            int lastId;

            internal Memory Of(object control) =>
                memories.GetValue(control, known => new Memory(known, Interlocked.Increment(ref lastId)));
        }
    }

    // Objects of the app are not asked whether they are equal.
    sealed class ByReference : IEqualityComparer<object>
    {
        bool IEqualityComparer<object>.Equals(object one, object other)
        {
            return ReferenceEquals(one, other);
        }

        int IEqualityComparer<object>.GetHashCode(object value)
        {
            return RuntimeHelpers.GetHashCode(value);
        }
    }
}
