using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Substrate.Code
{
    // Ids of types, by which reports refer to them. It keeps no type from being unloaded.
    sealed class TypeIds
    {
        readonly ConditionalWeakTable<Type, object> ids = new ConditionalWeakTable<Type, object>();
        readonly List<WeakReference> types = new List<WeakReference>();

        internal int Of(Type type)
        {
            lock (types)
                return (int)ids.GetValue(type, each =>
                {
                    types.Add(new WeakReference(each));
                    return types.Count - 1;
                });
        }

        // Null if there is none, or it was unloaded.
        internal Type TypeOf(long id)
        {
            lock (types) return id >= 0 && id < types.Count ? types[(int)id].Target as Type : null;
        }
    }
}
