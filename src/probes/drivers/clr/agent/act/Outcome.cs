using System.Collections.Generic;

namespace Substrate.Act
{
    // The result of a call that reached the app.
    sealed class Outcome
    {
        // False if the app threw, or had not returned in time.
        internal readonly bool Ok;
        // `AddItem returned 3`, `AddItem threw System.InvalidOperationException: no stock`, `… is still running`.
        internal readonly string Message;
        // A value that JSON can express. For an exception: {exception, message, at}.
        internal readonly object RawReturn;
        // The class, method, signature, instance and thread; null where no method of the app was called.
        internal readonly Dictionary<string, object> Context;

        internal Outcome(bool ok, string message, object rawReturn, Dictionary<string, object> context)
        {
            Ok = ok;
            Message = message;
            RawReturn = rawReturn;
            Context = context;
        }
    }
}
