using System;
using System.Reflection;
using Substrate.Health;

namespace Substrate.Read
{
    // The shown name of a field: as in the source, without the additions of compilers.
    static class SlotNames
    {
        const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public
            | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        const string BackingField = ">k__BackingField";
        static readonly string[] thisNames = { "<>4__this", "<>f__this", "$this", "$VB$Me" };
        static readonly string[] prefixes = { "m_", "s_", "_" };

        // Null if the field is the compiler's own.
        internal static string Of(FieldInfo field)
        {
            string name = field.Name;
            if (Array.IndexOf(thisNames, name) >= 0) return "this";
            if (name[0] == '<') return Inside(name);
            if (name[0] == '$')
                return name.StartsWith("$VB$Local_", StringComparison.Ordinal) ? name.Substring(10) : null;
            int at = name.IndexOf('@');
            // F#: `Name@` belongs to a property; `init@12` is the compiler's.
            if (at >= 0) return at == name.Length - 1 && at > 0 ? name.Substring(0, at) : null;
            return PropertyOf(field) ?? name;
        }

        // True if the static field holds the one object of its type.
        internal static bool IsSingleton(FieldInfo field)
        {
            Type owner = field.DeclaringType;
            return field.IsStatic && !owner.IsValueType && field.FieldType.IsAssignableFrom(owner)
                && Rules.Singletons.Contains(Of(field));
        }

        // `Inner` for Shop.Outer+Inner`1.
        internal static string OfType(Type type)
        {
            string name = type.Name;
            int tick = name.IndexOf('`');
            return tick < 0 ? name : name.Substring(0, tick);
        }

        // `<Title>k__BackingField`, `<count>5__2`, `<name>P`; not `<>1__state`.
        static string Inside(string name)
        {
            int end = name.IndexOf('>');
            if (end <= 1) return null;
            string rest = name.Substring(end);
            bool isVariable = rest == BackingField || rest == ">" || rest == ">P" || rest == ">i__Field"
                || rest.StartsWith(">__", StringComparison.Ordinal)
                || rest.StartsWith(">5__", StringComparison.Ordinal);
            return isVariable ? name.Substring(1, end - 1) : null;
        }

        // The property that only returns the field `_title`: Title. Null if there is none.
        static string PropertyOf(FieldInfo field)
        {
            string bare = Bare(field.Name);
            if (bare.Length == 0 || !char.IsLetter(bare[0])) return null;
            string wanted = char.ToUpperInvariant(bare[0]) + bare.Substring(1);
            if (wanted == field.Name) return null;
            try
            {
                PropertyInfo property = field.DeclaringType.GetProperty(wanted, Declared);
                bool fits = property != null && property.PropertyType.IsAssignableFrom(field.FieldType);
                MethodInfo getter = fits ? property.GetGetMethod(true) : null;
                return getter != null && getter.IsStatic == field.IsStatic && Gives(getter, field) ? wanted : null;
            }
            catch (Exception discarded)
            {
                // Several properties have that name, or types are missing.
                Discarded.Count("SlotNames.PropertyOf", discarded);
                return null;
            }
        }

        // `Item1` for m_Item1.
        internal static string Bare(string name)
        {
            foreach (string prefix in prefixes)
                if (name.StartsWith(prefix, StringComparison.Ordinal)) return name.Substring(prefix.Length);
            return name;
        }

        // True if it only loads the field and returns it, in optimised or debug code.
        static bool Gives(MethodInfo getter, FieldInfo field)
        {
            MethodBody body = getter.GetMethodBody();
            byte[] code = body == null ? null : body.GetILAsByteArray();
            if (code == null || code.Length > 16) return false;
            int at = 0;
            while (at < code.Length && code[at] == 0x00) at++;
            if (!field.IsStatic && (at >= code.Length || code[at++] != 0x02)) return false;
            if (at + 5 >= code.Length || code[at] != (field.IsStatic ? 0x7E : 0x7B)) return false;
            int token = BitConverter.ToInt32(code, at + 1);
            at += 5;
            bool isPlain = code[at] == 0x2A;
            bool isDebug = at + 4 < code.Length && code[at] == 0x0A && code[at + 1] == 0x2B
                && code[code.Length - 1] == 0x2A;
            return (isPlain || isDebug) && IsToken(token, field);
        }

        static bool IsToken(int token, FieldInfo field)
        {
            if (token == field.MetadataToken) return true;
            // In a generic type the token is a reference to it.
            if (!field.DeclaringType.IsGenericType) return false;
            FieldInfo named = field.Module.ResolveField(token, field.DeclaringType.GetGenericArguments(), null);
            return named.Name == field.Name;
        }
    }
}
