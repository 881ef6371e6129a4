using System;
using System.Reflection;

namespace Substrate.Read
{
    // Transparent proxies of Mono, which stand for remote objects. They look like objects of their type, but have no
    // fields: reading one calls code of the app.
    static class Proxies
    {
        static readonly Func<object, bool> ask = Find();

        internal static bool Is(object one)
        {
            return ask != null && ask(one);
        }

        // True if objects of this type can be proxies.
        internal static bool MayBe(Type type)
        {
            return ask != null && (type.IsInterface || typeof(MarshalByRefObject).IsAssignableFrom(type));
        }

        // Null if this runtime has none.
        static Func<object, bool> Find()
        {
            Type remoting = typeof(object).Assembly.GetType("System.Runtime.Remoting.RemotingServices", false);
            MethodInfo method = remoting == null ? null : remoting.GetMethod("IsTransparentProxy");
            if (method == null) return null;
            return (Func<object, bool>)Delegate.CreateDelegate(typeof(Func<object, bool>), method);
        }
    }
}
