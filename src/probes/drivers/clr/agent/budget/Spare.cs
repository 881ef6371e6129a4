using System;
using System.Threading;

namespace Substrate.Budget
{
    // Keeps one unused object with a large buffer. Held weakly: the next user gets it, unless the program has collected
    // its garbage before.
    static class Spare<T> where T : class
    {
        static WeakReference kept;

        // Null if there is none.
        internal static T Take()
        {
            WeakReference found = Interlocked.Exchange(ref kept, null);
            return found == null ? null : (T)found.Target;
        }

        // The object must be empty.
        internal static void Give(T one)
        {
            kept = new WeakReference(one);
        }
    }
}
