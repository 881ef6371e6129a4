using System;
using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using Substrate.Read;

namespace Substrate.Roots
{
    // Objects that lead to no state, or to too many objects that are none.
    static class DeadEnds
    {
        static readonly ConditionalWeakTable<Type, object> known = new ConditionalWeakTable<Type, object>();

        internal static bool Is(Type type)
        {
            object isEnd;
            if (known.TryGetValue(type, out isEnd)) return (bool)isEnd;
            isEnd = Judge(type);
            return (bool)known.GetValue(type, ignored => isEnd);
        }

        static bool Judge(Type type)
        {
            if (type.HasElementType) return type.GetElementType() != typeof(object) && Is(type.GetElementType());
            if (Ownership.Of(type) == Owner.Agent) return true;
            // Mono crashes when the content of these is read: it is not protected from a collection meanwhile.
            if (IsCalled(type, "ConditionalWeakTable") || type.Name == "Ephemeron") return true;
            if (type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(object)) return true;
            if (typeof(MemberInfo).IsAssignableFrom(type) || typeof(Assembly).IsAssignableFrom(type)) return true;
            if (typeof(Thread).IsAssignableFrom(type)) return true;
            if (typeof(SynchronizationContext).IsAssignableFrom(type)) return true;
            if (typeof(Exception).IsAssignableFrom(type) || typeof(Attribute).IsAssignableFrom(type)) return true;
            if (typeof(WeakReference).IsAssignableFrom(type) || IsCalled(type, "WeakReference")) return true;
            if (typeof(IComparer).IsAssignableFrom(type)) return true;
            return type.Namespace != null && !Ownership.IsOfAppOrProxy(type) && Ownership.IsDeadEnd(type);
        }

        // With any number of type parameters.
        static bool IsCalled(Type type, string name)
        {
            return type.Name.StartsWith(name, StringComparison.Ordinal);
        }
    }
}
