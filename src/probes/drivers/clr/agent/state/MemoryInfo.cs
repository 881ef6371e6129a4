using System;
using System.Reflection;

namespace Substrate.State
{
    // What .NET tells of its memory since version 3; Mono does not.
    static class MemoryInfo
    {
        // What the limits of its container or its settings leave; null: it does not tell.
        internal static long? Available
        {
            get { return Ask("TotalAvailableMemoryBytes"); }
        }

        // What was alive after the last collection, or, where that is not known, what is in use now.
        internal static long Alive
        {
            get { return Ask("HeapSizeBytes") ?? GC.GetTotalMemory(false); }
        }

        static long? Ask(string property)
        {
            try
            {
                MethodInfo ask = typeof(GC).GetMethod("GetGCMemoryInfo", Type.EmptyTypes);
                object info = ask == null ? null : ask.Invoke(null, null);
                PropertyInfo found = info == null ? null : info.GetType().GetProperty(property);
                long bytes = found == null ? 0 : (long)found.GetValue(info, null);
                return bytes > 0 ? bytes : (long?)null;
            }
            catch (Exception)
            {
                return null;
            }
        }
    }
}
