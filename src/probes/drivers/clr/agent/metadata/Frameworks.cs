using System;
using System.Reflection;

namespace Substrate.Meta
{
    // The assemblies of .NET itself, by their names; this agent counts as well.
    static class Frameworks
    {
        static readonly string[] Names =
        {
            "System", "mscorlib", "netstandard", "Microsoft.Win32", "Microsoft.CSharp", "Microsoft.VisualBasic",
            "WindowsBase",
            "PresentationCore", "PresentationFramework", "Mono", "Microsoft.Extensions", "Microsoft.AspNetCore",
        };

        internal static bool Is(Type type)
        {
            return Is(type.Assembly);
        }

        internal static bool Is(Assembly assembly)
        {
            if (assembly == typeof(object).Assembly || assembly == typeof(Frameworks).Assembly) return true;
            return IsName(NameOf(assembly));
        }

        // `System.Core`, and all names that begin with one of the names and a dot.
        internal static bool IsName(string name)
        {
            foreach (string known in Names)
            {
                if (!name.StartsWith(known, StringComparison.Ordinal)) continue;
                if (name.Length == known.Length || name[known.Length] == '.') return true;
            }
            return false;
        }

        // GetName is not used, because it searches the file.
        internal static string NameOf(Assembly assembly)
        {
            string full = assembly.FullName ?? "";
            int comma = full.IndexOf(',');
            return comma < 0 ? full : full.Substring(0, comma);
        }
    }
}
