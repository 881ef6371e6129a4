using System.Collections.Generic;

namespace Substrate.Act
{
    // What came of a call that reached the app.
    sealed class Outcome
    {
        // False: the app threw, or had not come back in time.
        internal readonly bool Ok;
        // `AddItem returned 3`, `AddItem threw System.InvalidOperationException: no stock`, `… is still running`.
        internal readonly string Message;
        // As JSON can say it. For an exception: {exception, message, at}.
        internal readonly object RawReturn;
        // class, method, signature, instance, thread; null where no method of the app was called.
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
