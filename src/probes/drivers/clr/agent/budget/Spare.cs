using System;
using System.Threading;

namespace Substrate.Budget
{
    // One thing with much room in it that nobody uses now. Held weakly: the next one who wants such room has it, unless
    // the program has collected its garbage before.
    static class Spare<T> where T : class
    {
        static WeakReference kept;

        // Null: there is none.
        internal static T Take()
        {
            WeakReference found = Interlocked.Exchange(ref kept, null);
            return found == null ? null : (T)found.Target;
        }

        // It must be empty.
        internal static void Give(T one)
        {
            kept = new WeakReference(one);
        }
    }
}
