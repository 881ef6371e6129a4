using System;
using System.IO;
using System.Reflection;
using System.Threading;
using Substrate.Meta;

namespace Substrate.Read
{
    // Fields and types without state of the app.
    static class Noise
    {
        static readonly string[] secrets = { "ProtectedString", "ProtectedBinary", "SecureString" };

        // Types that move or format state. The objects they hold may lead to state nonetheless.
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

        // True for a value per thread or context: that of the agent's thread is not the app's.
        static bool IsOfThread(FieldInfo field)
        {
            return Loaded.HasAttribute(field.DeclaringType, field, typeof(ThreadStaticAttribute))
                || Loaded.HasAttribute(field.DeclaringType, field, typeof(ContextStaticAttribute));
        }

        // True if no value of a field of this type is shown.
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

        // The value of such a type is not even read.
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

        // `Inner` for Shop.Outer+Inner`1.
        internal static string SimpleName(Type type)
        {
            string name = type.Name;
            int tick = name.IndexOf('`');
            return tick < 0 ? name : name.Substring(0, tick);
        }
    }
}
