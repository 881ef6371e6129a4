using System;

namespace Substrate.Act
{
    // The value of an argument cannot be used; nothing was called.
    sealed class BadArgument : Exception
    {
        internal BadArgument(string message) : base(message) { }
    }

    // The object or method is gone; nothing was called.
    class NotDispatched : Exception
    {
        internal NotDispatched(string message) : base(message) { }
    }

    // The app is busy; nothing was called, and the caller may try again.
    sealed class Busy : NotDispatched
    {
        internal Busy(string message) : base(message) { }
    }
}
