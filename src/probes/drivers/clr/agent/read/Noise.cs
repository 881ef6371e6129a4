using System;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Read
{
    // Fields that hold no state, or cannot be read.
    static class Noise
    {
        internal static bool IsNoise(FieldInfo field)
        {
            Type type = field.FieldType;
            return field.IsLiteral || field.IsStatic && IsOfThread(field) || IsUnreadable(type)
                || Rules.NoiseTypes.Has(SlotNames.OfType(type));
        }

        // True for a value per thread or context: that of the agent's thread is not the app's.
        static bool IsOfThread(FieldInfo field)
        {
            return Loaded.HasAttribute(field.DeclaringType, field, typeof(ThreadStaticAttribute))
                || Loaded.HasAttribute(field.DeclaringType, field, typeof(ContextStaticAttribute));
        }

        // True for code, and for places in memory.
        static bool IsUnreadable(Type type)
        {
            return type.IsPointer || type.IsByRef || type == typeof(IntPtr) || type == typeof(UIntPtr)
                || typeof(Delegate).IsAssignableFrom(type) || IsFixedBuffer(type);
        }

        static bool IsFixedBuffer(Type type)
        {
            return type.IsValueType && type.IsNested
                && type.Name.IndexOf("__FixedBuffer", StringComparison.Ordinal) >= 0;
        }
    }
}
