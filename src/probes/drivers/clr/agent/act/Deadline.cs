using System;

namespace Substrate.Act
{
    /// <summary>A moment after which no more is begun.</summary>
    sealed class Deadline
    {
        readonly int begin = Environment.TickCount;
        readonly int ms;

        internal Deadline(int ms)
        {
            this.ms = ms;
        }

        internal bool IsOver
        {
            get { return Left <= 0; }
        }

        internal int Left
        {
            get { return ms - unchecked(Environment.TickCount - begin); }
        }
    }
}
