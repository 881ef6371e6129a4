using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Substrate.Forms
{
    // The facts that are remembered of a window or control as long as it lives. Holds no object of the app.
    sealed class Memory
    {
        const int StartRows = 200;
        const int MinRows = 5;
        static readonly TimeSpan Quiet = TimeSpan.FromMinutes(1);
        static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(20);
        static readonly TimeSpan VerySlow = TimeSpan.FromMilliseconds(200);

        // The id in reports.
        internal readonly int Id;
        internal readonly WeakReference Control;
        // It was seen ticked once: so it can be ticked.
        internal bool IsTick;
        // The last rows, used while it is not read.
        internal Rows LastRows;
        internal int MaxRows = StartRows;
        DateTime quietUntil;

        Memory(object control, int id)
        {
            Control = new WeakReference(control);
            Id = id;
        }

        internal bool MayAsk => DateTime.UtcNow >= quietUntil;

        // A control that throws is not read for a minute.
        internal void Threw()
        {
            quietUntil = DateTime.UtcNow + Quiet;
        }

        // A control that blocks the thread of the window is read for fewer rows, or not at all for a minute.
        internal void Took(TimeSpan time)
        {
            if (time > Slow) MaxRows = Math.Max(MinRows, MaxRows / 2);
            if (time > VerySlow) Threw();
        }

        // By identity, without keeping anything alive.
        internal sealed class Registry
        {
            readonly ConditionalWeakTable<object, Memory> memories = new ConditionalWeakTable<object, Memory>();
            int lastId;

            internal Memory Of(object control) =>
                memories.GetValue(control, known => new Memory(known, Interlocked.Increment(ref lastId)));
        }
    }

    // Equals of the app's objects is not called.
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
