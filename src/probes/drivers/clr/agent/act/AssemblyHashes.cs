using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Act
{
    // Ids that compilers write into each build of an assembly, by which the daemon recognises facts that it has stored.
    static class AssemblyHashes
    {
        // The ids of the type and its ancestors in the app; null if one of them was made at run time.
        internal static string Of(Type type)
        {
            try
            {
                var found = new SortedSet<string>(StringComparer.Ordinal);
                Add(found, type);
                return string.Join("+", found);
            }
            catch (Exception discarded)
            {
                Discarded.Count("AssemblyHashes.Of", discarded);
                return null;
            }
        }

        static void Add(SortedSet<string> found, Type type)
        {
            for (Type at = type; at != null && !Frameworks.Is(at); at = at.BaseType) found.Add(Of(at.Assembly));
            foreach (Type each in type.GetInterfaces()) if (!Frameworks.Is(each)) found.Add(Of(each.Assembly));
            if (!type.IsGenericType) return;
            foreach (Type each in type.GetGenericArguments()) if (!Frameworks.Is(each)) Add(found, each);
        }

        // Throws where the assembly was made at run time.
        static string Of(Assembly assembly)
        {
            if (assembly.IsDynamic) throw new NotSupportedException();
            return assembly.ManifestModule.ModuleVersionId.ToString("N");
        }

        // True for compiled serializers and regular expressions, for example.
        static bool IsOfFrameworks(Assembly assembly)
        {
            foreach (Type type in assembly.GetTypes())
            {
                for (Type at = type.BaseType; at != null; at = at.BaseType)
                    if (at.Assembly != assembly && !Frameworks.Is(at)) return false;
                foreach (Type each in type.GetInterfaces())
                    if (each.Assembly != assembly && !Frameworks.Is(each)) return false;
            }
            return true;
        }

        // The ids of all loaded assemblies outside .NET itself; null if that is not possible. `isAll`: assemblies made
        // at run time have nothing to do with types of the app.
        internal static string OfLoaded(out bool isAll)
        {
            isAll = true;
            try
            {
                var found = new SortedSet<string>(StringComparer.Ordinal);
                foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
                {
                    if (assembly.IsDynamic) isAll &= IsOfFrameworks(assembly);
                    else if (!Frameworks.Is(assembly)) found.Add(Of(assembly));
                }
                uint crc = 2166136261;
                foreach (string hash in found) foreach (char character in hash) crc = (crc ^ character) * 16777619;
                return crc.ToString("x8") + "-" + found.Count;
            }
            catch (Exception discarded)
            {
                Discarded.Count("AssemblyHashes.OfLoaded", discarded);
                return null;
            }
        }
    }
}
