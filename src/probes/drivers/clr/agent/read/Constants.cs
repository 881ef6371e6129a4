using System;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Read
{
    // Static fields that are part of the program rather than of its state: their values were there when the type was
    // initialised and never change. Collections and objects with settable fields are state.
    static class Constants
    {
        const BindingFlags Statics = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        const BindingFlags Instance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic
            | BindingFlags.DeclaredOnly;
        // One constant of the type's own kind may be its singleton; several are its possible values.
        const int Few = 2;

        internal static bool IsConstant(FieldInfo field)
        {
            if (!field.IsStatic || !field.IsInitOnly) return false;
            Type type = field.FieldType;
            if (IsFixed(type) || IsFixedObject(type) || IsOneOfSeveral(field)) return true;
            if (type == typeof(byte[])) return true;
            return type.IsArray && IsFixed(type.GetElementType()) && IsUpperCase(field.Name);
        }

        static bool IsFixed(Type type)
        {
            return type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(decimal)
                || type == typeof(TimeSpan) || type == typeof(Type) || type == typeof(Version);
        }

        // True if all fields of its objects are read-only, and none leads to an object that can change.
        static bool IsFixedObject(Type type)
        {
            if (!type.IsSealed || type.IsArray || !Ownership.IsOfApp(type)) return false;
            for (Type at = type; at != null && at != typeof(object) && at != typeof(ValueType); at = at.BaseType)
                foreach (FieldInfo field in at.GetFields(Instance))
                    if (!field.IsInitOnly || !Loaded.CanRead(at, field) || !IsFixed(field.FieldType)) return false;
            return true;
        }

        static bool IsUpperCase(string name)
        {
            foreach (char character in name) if (char.IsLower(character)) return false;
            return true;
        }

        // True for constants like the values of an enum: of the declaring type, or a table of them.
        static bool IsOneOfSeveral(FieldInfo field)
        {
            Type owner = field.DeclaringType;
            if (field.FieldType.IsArray) return field.FieldType.GetElementType() == owner && IsOneOfSeveral(owner);
            return IsKindOf(owner, field.FieldType) && IsOneOfSeveral(owner);
        }

        static bool IsOneOfSeveral(Type owner)
        {
            int count = 0;
            foreach (FieldInfo other in owner.GetFields(Statics))
                if (other.IsInitOnly && Loaded.CanRead(owner, other) && IsKindOf(owner, other.FieldType)) count++;
            return count >= Few;
        }

        static bool IsKindOf(Type owner, Type type)
        {
            return type == owner || owner.IsAssignableFrom(type);
        }
    }
}
