using System;
using System.Reflection;

namespace Substrate.Read
{
    // Objects of Mono that stand for one elsewhere. They look like objects of its type, but have no fields: to read one
    // calls code of the app.
    static class Proxies
    {
        static readonly Func<object, bool> ask = Find();

        internal static bool Is(object one)
        {
            return ask != null && ask(one);
        }

        // Objects of this type can be such.
        internal static bool MayBe(Type type)
        {
            return ask != null && (type.IsInterface || typeof(MarshalByRefObject).IsAssignableFrom(type));
        }

        // Null: this runtime has none.
        static Func<object, bool> Find()
        {
            Type remoting = typeof(object).Assembly.GetType("System.Runtime.Remoting.RemotingServices", false);
            MethodInfo method = remoting == null ? null : remoting.GetMethod("IsTransparentProxy");
            if (method == null) return null;
            return (Func<object, bool>)Delegate.CreateDelegate(typeof(Func<object, bool>), method);
        }
    }
}
