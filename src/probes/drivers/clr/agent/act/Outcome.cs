using System.Collections.Generic;

namespace Substrate.Act
{
    /// <summary>What came of a call that reached the app.</summary>
    sealed class Outcome
    {
        /// <summary>False: the app threw, or had not come back in time.</summary>
        internal readonly bool Ok;
        /// <summary>`AddItem returned 3`, `AddItem threw System.InvalidOperationException: no stock`, `… is still running`.</summary>
        internal readonly string Message;
        /// <summary>As JSON can say it. For an exception: {exception, message, at}.</summary>
        internal readonly object RawReturn;
        /// <summary>class, method, signature, instance, thread; null where no method of the app was called.</summary>
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
