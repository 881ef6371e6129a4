using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Forms
{
    // The assembly of Windows Forms, if the app has loaded it. It is never loaded for it, and nothing of it is known
    // when this agent is compiled: the same agent runs in programs without it.
    static class Library
    {
        const string Called = "System.Windows.Forms,";
        static readonly Dictionary<string, Type> Known = new Dictionary<string, Type>();
        static Assembly assembly;
        static int looked;

        internal static bool IsLoaded()
        {
            if (assembly != null) return true;
            Assembly[] loaded = AppDomain.CurrentDomain.GetAssemblies();
            if (loaded.Length == looked) return false;
            foreach (Assembly one in loaded)
                if (one.FullName.StartsWith(Called, StringComparison.Ordinal)) assembly = one;
            looked = loaded.Length;
            return assembly != null;
        }

        // Null: not in this version of it (`MenuItem` is not in .NET Core).
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
