using System;
using System.IO;
using System.Reflection;
using System.Threading;
using Substrate.Meta;

namespace Substrate.Read
{
    // Fields and types that say nothing of the app's state.
    static class Noise
    {
        static readonly string[] secrets = { "ProtectedString", "ProtectedBinary", "SecureString" };

        // They move or format state, of whatever make. What they hold may lead to state nonetheless.
        static readonly Type[] machinery =
        {
            typeof(Delegate), typeof(Stream), typeof(TextReader), typeof(TextWriter), typeof(WaitHandle),
            typeof(Attribute),
            typeof(MemberInfo), typeof(Assembly), typeof(System.Text.Encoding),
        };

        internal static bool IsNoise(FieldInfo field)
        {
            if (field.IsLiteral || field.IsStatic && IsOfThread(field)) return true;
            return IsNoise(field.FieldType);
        }

        // Each thread, or context, has another one: ours is none of the app's.
        static bool IsOfThread(FieldInfo field)
        {
            return Loaded.HasAttribute(field.DeclaringType, field, typeof(ThreadStaticAttribute))
                || Loaded.HasAttribute(field.DeclaringType, field, typeof(ContextStaticAttribute));
        }

        // What a field of this type can hold is not shown.
        static bool IsNoise(Type type)
        {
            if (type.IsPointer || type.IsByRef || type == typeof(IntPtr) || type == typeof(UIntPtr)) return true;
            if (typeof(Delegate).IsAssignableFrom(type) || IsFixedBuffer(type)) return true;
            string name = type.Name;
            return name.EndsWith("Logger", StringComparison.Ordinal)
                || name.StartsWith("ILogger`", StringComparison.Ordinal) || name == "ILog";
        }

        internal static bool IsMachinery(Type type)
        {
            foreach (Type kind in machinery) if (kind.IsAssignableFrom(type)) return true;
            return false;
        }

        // Its value is not even read.
        internal static bool IsSecret(Type type)
        {
            string name = type.Name;
            return Array.IndexOf(secrets, name) >= 0 || name.EndsWith("Credential", StringComparison.Ordinal)
                || name.EndsWith("Credentials", StringComparison.Ordinal)
                || name.EndsWith("CredentialCache", StringComparison.Ordinal);
        }

        static bool IsFixedBuffer(Type type)
        {
            return type.IsValueType && type.IsNested
                && type.Name.IndexOf("__FixedBuffer", StringComparison.Ordinal) >= 0;
        }

        // `Inner` of Shop.Outer+Inner`1.
        internal static string SimpleName(Type type)
        {
            string name = type.Name;
            int tick = name.IndexOf('`');
            return tick < 0 ? name : name.Substring(0, tick);
        }
    }
}
