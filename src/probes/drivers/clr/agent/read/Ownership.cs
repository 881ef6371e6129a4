using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Health;

namespace Substrate.Read
{
    // Distinguishes the app's types from those of the framework, of known libraries and of this agent, by their
    // assemblies. Any thread may use it.
    static class Ownership
    {
        sealed class Verdict
        {
            internal readonly Owner Owner;

            internal Verdict(Owner owner)
            {
                Owner = owner;
            }
        }

        static ConditionalWeakTable<Assembly, Verdict> known = new ConditionalWeakTable<Assembly, Verdict>();
        // From the daemon: see Owners in src/probes/insight/walk-rules.ts.
        static HashSet<string> frameworks = new HashSet<string>();
        static HashSet<string> libraries = new HashSet<string>();
        static HashSet<string> deadEnds = new HashSet<string>();
        static string own;
        static readonly string frameworkFolder = FrameworkFolder();

        // Called before the app is read for the first time.
        internal static void Learn(Dictionary<string, object> owners)
        {
            frameworks = Set(owners["frameworks"]);
            libraries = Set(owners["libraries"]);
            deadEnds = Set(owners["deadEnds"]);
            own = owners["own"] as string;
            known = new ConditionalWeakTable<Assembly, Verdict>();
        }

        static HashSet<string> Set(object list)
        {
            var set = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
            foreach (object name in (List<object>)list) set.Add((string)name);
            return set;
        }

        // A type of the framework that leads to no state, or to too many objects that are none: listed by its name, or
        // by its namespace.
        internal static bool IsDeadEnd(Type type)
        {
            for (string name = type.FullName ?? ""; name.Length > 0;)
            {
                if (deadEnds.Contains(name)) return true;
                name = name.Substring(0, Math.Max(0, name.LastIndexOf('.')));
            }
            return false;
        }

        // The name of the assembly that the program was started with; empty if not known.
        internal static string Entry
        {
            get { return NameOf(EntryAssembly()); }
        }

        // The type that the program was started with; null if not known.
        internal static Type EntryType
        {
            get
            {
                Assembly entry = EntryAssembly();
                MethodInfo main = entry == null ? null : entry.EntryPoint;
                return main == null ? null : main.DeclaringType;
            }
        }

        internal static bool IsOfApp(Type type)
        {
            return Of(type) == Owner.App;
        }

        // True also for a type that was made around one of the app's own.
        internal static bool IsOfAppOrProxy(Type type)
        {
            Owner owner = Of(type);
            return owner == Owner.App || owner == Owner.Proxy;
        }

        internal static Owner Of(Type type)
        {
            Type at = type;
            while (at.HasElementType) at = at.GetElementType();
            Assembly assembly = at.Assembly;
            if (assembly == typeof(Ownership).Assembly && IsOfAgent(at)) return Owner.Agent;
            Owner owner = Of(assembly);
            if (owner != Owner.Proxy) return owner;
            for (Type above = at.BaseType; above != null; above = above.BaseType)
                if (!above.Assembly.IsDynamic && Of(above) == Owner.App) return Owner.Proxy;
            return Owner.Library;
        }

        internal static Owner Of(Assembly assembly)
        {
            Verdict verdict;
            if (known.TryGetValue(assembly, out verdict)) return verdict.Owner;
            return known.GetValue(assembly, one => new Verdict(Judge(one))).Owner;
        }

        static Owner Judge(Assembly assembly)
        {
            if (assembly == typeof(object).Assembly) return Owner.Framework;
            string name = NameOf(assembly);
            // Proxies and serializers have no state of their own.
            if (assembly.IsDynamic) return IsOfShell(name) ? Owner.App : Owner.Proxy;
            if (own != null && StartsWith(name, own)) return Owner.App;
            if (name.StartsWith("SubstrateClr_", StringComparison.Ordinal)) return Owner.Agent;
            if (IsInFramework(assembly)) return Owner.Framework;
            if (IsBeside(assembly, name)) return Owner.App;
            return OwnerOf(name);
        }

        // True for code that was typed into Mono's C# shell, which names each compiled piece by a number.
        static bool IsOfShell(string name)
        {
            int number;
            return name.StartsWith("eval-", StringComparison.Ordinal) && int.TryParse(name.Substring(5), out number);
        }

        internal static Owner OwnerOf(string assembly)
        {
            int dot = assembly.IndexOf('.');
            string first = dot < 0 ? assembly : assembly.Substring(0, dot);
            if (frameworks.Contains(first)) return Owner.Framework;
            // A short name of one word may be a library's or an app's (`Unity`, `Moq`): it counts as the app's.
            bool isPart = dot > 0 || first.Length > 5;
            return isPart && libraries.Contains(first) ? Owner.Library : Owner.App;
        }

        static bool IsOfAgent(Type type)
        {
            string space = type.Namespace ?? "";
            return space == "Substrate" || space.StartsWith("Substrate.", StringComparison.Ordinal)
                || IsMadeByCompiler(type);
        }

        // Types of the compiler are beside the agent's types, without a namespace.
        static bool IsMadeByCompiler(Type type)
        {
            return type.Name.StartsWith("<PrivateImplementationDetails>", StringComparison.Ordinal);
        }

        static bool StartsWith(string name, string prefix)
        {
            return name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)
                && (name.Length == prefix.Length || name[prefix.Length] == '.');
        }

        // Files of a shared framework. A self-contained app has its framework in its own folder.
        static bool IsInFramework(Assembly assembly)
        {
            string folder = FolderOf(assembly);
            if (folder == null) return false;
            return folder == frameworkFolder || folder.IndexOf("/mono/gac/", StringComparison.Ordinal) >= 0;
        }

        // Mono's own programs bring assemblies with names like the framework's. The framework itself is elsewhere then.
        static bool IsBeside(Assembly assembly, string name)
        {
            if (frameworkFolder == null || !StartsWith(name, "Mono")) return false;
            string folder = FolderOf(assembly);
            return folder != null && folder == FolderOf(EntryAssembly());
        }

        static string FrameworkFolder()
        {
            string folder = FolderOf(typeof(object).Assembly);
            return folder == null || folder == FolderOf(EntryAssembly()) ? null : folder;
        }

        static string FolderOf(Assembly assembly)
        {
            try
            {
                string file = assembly == null ? null : assembly.Location;
                return string.IsNullOrEmpty(file) ? null : Path.GetDirectoryName(file).Replace('\\', '/') + "/";
            }
            catch (Exception discarded)
            {
                // The assembly was loaded from memory.
                Discarded.Count("Ownership.FolderOf", discarded);
                return null;
            }
        }

        static Assembly EntryAssembly()
        {
            try
            {
                return Assembly.GetEntryAssembly();
            }
            catch (Exception discarded)
            {
                Discarded.Count("Ownership.EntryAssembly", discarded);
                return null;
            }
        }

        // GetName would search the file's path as well.
        static string NameOf(Assembly assembly)
        {
            string name = assembly == null ? null : assembly.FullName;
            if (name == null) return "";
            int comma = name.IndexOf(',');
            return comma < 0 ? name : name.Substring(0, comma);
        }
    }
}
