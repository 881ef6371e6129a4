using System;

namespace Substrate.Forms
{
    /// <summary>What is remembered of a window or control from look to look. Holds nothing of the app.</summary>
    sealed class Memory
    {
        const int StartRows = 200;
        const int MinRows = 5;
        static readonly TimeSpan Quiet = TimeSpan.FromMinutes(1);
        static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(20);
        static readonly TimeSpan VerySlow = TimeSpan.FromMilliseconds(200);

        internal readonly WeakReference Control;
        /// <summary>The name without a number, and with it.</summary>
        internal string Wanted;
        internal string Given;
        /// <summary>It was seen ticked once: it is something that can be.</summary>
        internal bool IsTick;
        /// <summary>What was last read, for the time in which it is not read.</summary>
        internal Rows LastRows;
        internal int MaxRows = StartRows;
        DateTime quietUntil;

        internal Memory(object control)
        {
            Control = new WeakReference(control);
        }

        internal bool MayAsk { get { return DateTime.UtcNow >= quietUntil; } }

        /// <summary>What throws is left alone for a minute.</summary>
        internal void Threw()
        {
            quietUntil = DateTime.UtcNow + Quiet;
        }

        /// <summary>What makes the thread of the window wait is asked for less, or not at all for a minute.</summary>
        internal void Took(TimeSpan time)
        {
            if (time > Slow) MaxRows = Math.Max(MinRows, MaxRows / 2);
            if (time > VerySlow) Threw();
        }
    }
}
