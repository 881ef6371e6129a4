using System;

namespace Substrate.Act
{
    /// <summary>The value of an argument cannot be used; nothing was called.</summary>
    sealed class BadArgument : Exception
    {
        internal BadArgument(string message) : base(message) { }
    }

    /// <summary>What was to be called is not there any more; nothing was called.</summary>
    class NotDispatched : Exception
    {
        internal NotDispatched(string message) : base(message) { }
    }

    /// <summary>The app has no time for it; nothing was called, and it may be tried again.</summary>
    sealed class Busy : NotDispatched
    {
        internal Busy(string message) : base(message) { }
    }
}
