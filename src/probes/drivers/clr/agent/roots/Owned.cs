using System;
using System.Reflection;
using Substrate.Read;

namespace Substrate.Roots
{
    // What belongs to the app, be it by a type that was made around one of its own.
    static class Owned
    {
        internal static bool ByApp(Type type)
        {
            Owner owner = Ownership.Of(type);
            return owner == Owner.App || owner == Owner.Proxy;
        }

        internal static bool ByApp(Assembly assembly)
        {
            return Ownership.Of(assembly) == Owner.App;
        }
    }
}
