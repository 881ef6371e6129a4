using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;
using Substrate.Read;

namespace Substrate.Roots
{
    // Reads fields by reflection, of any visibility. A field that this version of the runtime does not have is null.
    static class FieldAccess
    {
        const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

        // True if code of the app declares fields of it: without any, an object only carries methods.
        internal static bool HasOfApp(Type type)
        {
            for (Type at = type; at != null && Ownership.IsOfAppOrProxy(at); at = at.BaseType)
                if (at.GetFields(BindingFlags.Instance | Declared).Length > 0) return true;
            return false;
        }

        internal static List<FieldInfo> Statics(Type type)
        {
            return new LoadedFields().Fields(type, BindingFlags.Static | Declared);
        }

        internal static object Get(object from, string name)
        {
            if (from == null) return null;
            for (Type type = from.GetType(); type != null; type = type.BaseType)
            {
                FieldInfo field = type.GetField(name, BindingFlags.Instance | Declared);
                if (field != null) return Value(field, from);
            }
            return null;
        }

        // The first of these names that exists.
        internal static object Get(object from, params string[] names)
        {
            foreach (string name in names)
            {
                object value = Get(from, name);
                if (value != null) return value;
            }
            return null;
        }

        // Null as well when reading it would run the initialiser of its type.
        internal static object GetStatic(OwnMemory memory, Type type, params string[] names)
        {
            if (type == null || !Initialisers.HaveRun(memory, type)) return null;
            foreach (string name in names)
            {
                FieldInfo field = type.GetField(name, BindingFlags.Static | Declared);
                if (field != null && !field.IsLiteral) return Value(field, null);
            }
            return null;
        }

        internal static bool HasStatic(Type type, params string[] names)
        {
            return type != null && Array.Exists(names, name => type.GetField(name, BindingFlags.Static | Declared) != null);
        }

        internal static object Value(FieldInfo field, object from)
        {
            try
            {
                // Mono treats the target of a pointer as an object.
                return field.FieldType.IsPointer ? null : field.GetValue(from);
            }
            catch (Exception discarded)
            {
                Discarded.Count("FieldAccess.Value", discarded);
                return null;
            }
        }

        internal static bool MayLead(Type type)
        {
            return !type.IsPrimitive && !type.IsEnum && !type.IsPointer && !type.IsByRef && type != typeof(string)
                && type != typeof(decimal) && type != typeof(DateTime) && type != typeof(TimeSpan)
                && type != typeof(Guid);
        }
    }
}
