namespace Substrate.Act
{
    /// <summary>What came of a call that was given a limited time.</summary>
    sealed class TimedResult
    {
        /// <summary>It came back in time, with a value or an exception.</summary>
        internal readonly bool IsFinished;
        /// <summary>False: it was taken back before the thread came to it, nothing ran.</summary>
        internal readonly bool IsBegun;
        internal readonly object Value;
        /// <summary>Null: it threw nothing.</summary>
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
