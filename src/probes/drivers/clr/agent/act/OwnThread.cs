using System;
using System.Reflection;

namespace Substrate.Act
{
    /// <summary>
    /// Objects that belong to a thread, as controls of windows do, and take calls from others only there.
    /// </summary>
    static class OwnThread
    {
        const string Name = "System.ComponentModel.ISynchronizeInvoke";

        /// <summary>How to hand work to the thread of the object; null: it may be called from anywhere.</summary>
        internal static Action<Action> Of(object target)
        {
            Type way = null;
            if (target != null)
                foreach (Type each in target.GetType().GetInterfaces()) if (each.FullName == Name) way = each;
            if (way == null || !true.Equals(way.GetProperty("InvokeRequired").GetValue(target, null))) return null;
            MethodInfo begin = way.GetMethod("BeginInvoke");
            return work => begin.Invoke(target, new object[] { work, null });
        }
    }
}
