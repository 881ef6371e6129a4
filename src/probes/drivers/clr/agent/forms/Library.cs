using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Forms
{
    // The assembly of Windows Forms, if the app has loaded it. The agent never loads it, and is compiled without it:
    // the same agent runs in programs without windows.
    static class Library
    {
        const string Called = "System.Windows.Forms,";
        static readonly Dictionary<string, Type> Known = new Dictionary<string, Type>();
        static Assembly assembly;
        static int searched;

        internal static bool IsLoaded()
        {
            if (assembly != null) return true;
            Assembly[] loaded = AppDomain.CurrentDomain.GetAssemblies();
            if (loaded.Length == searched) return false;
            foreach (Assembly one in loaded)
                if (one.FullName.StartsWith(Called, StringComparison.Ordinal)) assembly = one;
            searched = loaded.Length;
            return assembly != null;
        }

        // Null if this version does not have it (`MenuItem` is not in .NET Core).
        internal static Type Class(string name)
        {
            if (assembly == null) return null;
            lock (Known)
            {
                Type type;
                if (!Known.TryGetValue(name, out type))
                    Known[name] = type = assembly.GetType("System.Windows.Forms." + name, false);
                return type;
            }
        }

        internal static bool IsOf(string name, object target)
        {
            Type type = Class(name);
            return type != null && type.IsInstanceOfType(target);
        }

        internal static bool Declares(Type type) => type.Assembly == assembly;
    }
}
