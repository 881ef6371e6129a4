using System;
using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.ExceptionServices;
using Substrate.Health;

namespace Substrate.Forms
{
    // Calls methods of Windows Forms classes, such as `Control.OnClick`, as the framework does when a person uses a
    // control.
    static class Method
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        static readonly ConcurrentDictionary<string, MethodInfo> Known = new ConcurrentDictionary<string, MethodInfo>();

        // Throws the exceptions of the app's handlers.
        internal static object Call(object target, string name, params object[] arguments)
        {
            MethodInfo method = Known.GetOrAdd(name, _ => Find(name, arguments));
            try
            {
                return method.Invoke(target, arguments);
            }
            catch (TargetInvocationException thrown)
            {
                ExceptionDispatchInfo.Capture(thrown.InnerException ?? thrown).Throw();
                throw;
            }
        }

        // For reading: null where the method throws.
        internal static object Ask(object target, string name, params object[] arguments)
        {
            try
            {
                return Call(target, name, arguments);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Method.Ask", discarded);
                return null;
            }
        }

        // Each name is always called with arguments of the same types here.
        static MethodInfo Find(string name, object[] arguments)
        {
            int dot = name.LastIndexOf('.');
            for (Type at = Library.Class(name.Substring(0, dot)); at != null; at = at.BaseType)
                foreach (MethodInfo candidate in at.GetMethods(Any | BindingFlags.DeclaredOnly))
                    if (candidate.Name == name.Substring(dot + 1) && Takes(candidate.GetParameters(), arguments))
                        return candidate;
            throw new MissingMethodException(name);
        }

        static bool Takes(ParameterInfo[] taken, object[] arguments)
        {
            if (taken.Length != arguments.Length) return false;
            for (int at = 0; at < taken.Length; at++)
                if (arguments[at] != null && !taken[at].ParameterType.IsInstanceOfType(arguments[at])) return false;
            return true;
        }
    }
}
