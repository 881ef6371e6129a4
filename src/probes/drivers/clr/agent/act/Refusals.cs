using System;

namespace Substrate.Act
{
    // The value of an argument cannot be used; nothing was called.
    sealed class BadArgument : Exception
    {
        internal BadArgument(string message) : base(message) { }
    }

    // What was to be called is not there any more; nothing was called.
    class NotDispatched : Exception
    {
        internal NotDispatched(string message) : base(message) { }
    }

    // The app has no time for it; nothing was called, and it may be tried again.
    sealed class Busy : NotDispatched
    {
        internal Busy(string message) : base(message) { }
    }
}
