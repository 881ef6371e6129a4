using System;

namespace Substrate.Roots
{
    // Reads the names that compilers give to closures, async methods and their variables.
    static class Generated
    {
        // True for a closure, an async method or an iterator; not for an anonymous type, which is data.
        internal static bool Is(Type type)
        {
            string name = type.Name;
            return name.IndexOf('<') >= 0 && name.IndexOf("AnonymousType", StringComparison.Ordinal) < 0
                && name.IndexOf("AnonType", StringComparison.Ordinal) < 0;
        }

        internal static bool IsAsync(Type type)
        {
            if (!Is(type)) return false;
            foreach (Type implemented in type.GetInterfaces())
                if (implemented.FullName == "System.Runtime.CompilerServices.IAsyncStateMachine") return true;
            return false;
        }

        // `Main` for <Main>d__0 or a method <Main>b__1; null if the name does not contain one.
        internal static string MethodIn(string name)
        {
            int end = name.LastIndexOf('>');
            int start = name.LastIndexOf('<', Math.Max(end, 0));
            // A local function in a lambda: <<Main>b__0>d
            while (start > 0 && name[start - 1] == '<') start--;
            string inner = start >= 0 && end > start + 1 ? name.Substring(start + 1, end - start - 1) : null;
            if (inner != null && inner.IndexOf('>') >= 0) return MethodIn(inner);
            return string.IsNullOrEmpty(inner) || inner[0] == '<' ? null : inner;
        }

        // The variable of a field in such a type; null if there is none, or it has no name.
        internal static string Variable(string field)
        {
            if (field.Length == 0 || field[0] == '$' || field.StartsWith("<>", StringComparison.Ordinal)) return null;
            if (field.StartsWith("CS$", StringComparison.Ordinal)) return null;
            if (field[0] != '<') return field;
            int end = field.IndexOf('>');
            return end > 1 ? field.Substring(1, end - 1) : null;
        }
    }
}
