using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Code
{
    // Subtypes of the app's types in the loaded assemblies. Only assemblies that can have some are searched: that of
    // the type, and those that refer to it. It lives for one analysis only.
    sealed class Hierarchy
    {
        static readonly List<Type> Nobody = new List<Type>();
        readonly Tokens tokens;
        readonly List<Assembly> assemblies = new List<Assembly>();
        readonly Dictionary<Assembly, List<Assembly>> users = new Dictionary<Assembly, List<Assembly>>();
        readonly Dictionary<Assembly, Type[]> waiting = new Dictionary<Assembly, Type[]>();
        // The number of its types that were searched.
        readonly Dictionary<Assembly, int> done = new Dictionary<Assembly, int>();
        readonly Dictionary<Type, List<Type>> below = new Dictionary<Type, List<Type>>();

        internal Hierarchy(Assembly[] loaded, Tokens tokens)
        {
            this.tokens = tokens;
            foreach (Assembly assembly in loaded) if (!Frameworks.Is(assembly)) assemblies.Add(assembly);
        }

        // Every class and struct that extends or implements it, with any type arguments; null if that is not possible,
        // or not in the time.
        internal List<Type> Below(Type type, Pace pace)
        {
            foreach (Assembly assembly in UsersOf(type.Assembly)) if (!Search(assembly, pace)) return null;
            List<Type> known;
            return below.TryGetValue(KeyOf(type), out known) ? known : Nobody;
        }

        static Type KeyOf(Type type)
        {
            return type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        }

        // The assembly itself, those that refer to it, and those made at run time, which may extend anything.
        List<Assembly> UsersOf(Assembly used)
        {
            List<Assembly> found;
            if (users.TryGetValue(used, out found)) return found;
            found = new List<Assembly> { used };
            string name = Frameworks.NameOf(used);
            foreach (Assembly assembly in assemblies)
                if (assembly != used && (assembly.IsDynamic || tokens.Refers(assembly, name))) found.Add(assembly);
            return users[used] = found;
        }

        // Continues where it stopped; false if it is not done, or some types cannot be listed.
        bool Search(Assembly assembly, Pace pace)
        {
            Type[] types;
            if (!waiting.TryGetValue(assembly, out types)) waiting[assembly] = types = tokens.Loaded.TypesOf(assembly);
            if (types == null) return false;
            int at;
            done.TryGetValue(assembly, out at);
            for (; at < types.Length; at++)
            {
                if ((at & 15) == 15 && !pace.Go()) break;
                Add(types[at]);
            }
            done[assembly] = at;
            return at == types.Length;
        }

        void Add(Type type)
        {
            if (type == null || type.IsInterface) return;
            try
            {
                for (Type at = type.BaseType; at != null && at != typeof(object); at = at.BaseType)
                    Add(KeyOf(at), type);
                foreach (Type each in type.GetInterfaces()) Add(KeyOf(each), type);
            }
            catch (Exception discarded)
            {
                // Its base type is missing: it cannot be used.
                Discarded.Count("Hierarchy.Add", discarded);
            }
        }

        void Add(Type key, Type type)
        {
            if (Frameworks.Is(key)) return;
            List<Type> known;
            if (!below.TryGetValue(key, out known)) below[key] = known = new List<Type>();
            if (known.Count == 0 || known[known.Count - 1] != type) known.Add(type);
        }
    }
}
