using System;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Substrate.Channels
{
    // The way to the daemon cannot be used.
    sealed class ChannelFailure : Exception
    {
        internal ChannelFailure(string message) : base(message) { }

        // The operating system has just refused something.
        internal static ChannelFailure Refused(string what)
        {
            string number = Marshal.GetLastWin32Error().ToString(CultureInfo.InvariantCulture);
            return new ChannelFailure(what + " failed with error " + number);
        }
    }
}
