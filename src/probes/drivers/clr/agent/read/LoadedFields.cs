using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Read
{
    // The fields of types, without those whose type is not loaded: they hold nothing yet, and reading their types would
    // load those.
    sealed class LoadedFields
    {
        readonly List<WeakReference> incomplete = new List<WeakReference>();
        bool isSomeLeftOut;

        internal List<FieldInfo> Fields(Type type, BindingFlags which)
        {
            var fields = new List<FieldInfo>();
            foreach (FieldInfo field in type.GetFields(which))
                if (Loaded.CanRead(type, field)) fields.Add(field);
                else isSomeLeftOut = true;
            return fields;
        }

        // If fields were left out since the last call, the type is read again when more is loaded.
        internal void Note(Type type)
        {
            if (isSomeLeftOut) incomplete.Add(new WeakReference(type));
            isSomeLeftOut = false;
        }

        // Returns and forgets them.
        internal List<Type> Incomplete()
        {
            var types = new List<Type>();
            foreach (WeakReference one in incomplete)
            {
                var type = (Type)one.Target;
                if (type != null) types.Add(type);
            }
            incomplete.Clear();
            return types;
        }
    }
}
