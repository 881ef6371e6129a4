using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Health;

namespace Substrate.Meta
{
    // Decides what can be read without loading an assembly, which the app might have to find by code of its own.
    // Assemblies of .NET itself may be loaded. It is valid for one set of loaded assemblies; any thread may use it.
    sealed class Loaded
    {
        static readonly bool isMono = typeof(object).Assembly.GetType("Mono.Runtime", false) != null;
        static readonly object gate = new object();
        static Loaded now;
        readonly HashSet<string> names = new HashSet<string>();
        readonly ConditionalWeakTable<Assembly, Known> known = new ConditionalWeakTable<Assembly, Known>();
        readonly long mark;

        sealed class Known
        {
            // True if all its references are loaded: the usual case.
            internal bool IsWhole;
            // Otherwise its references; null if its metadata cannot be read, or is of another build.
            internal References References;

            internal bool Ask(Func<References, bool> question)
            {
                try
                {
                    lock (this) return References != null && question(References);
                }
                catch (FormatException discarded)
                {
                    Discarded.Count("Loaded.Ask", discarded);
                    return false;
                }
            }
        }

        Loaded(Assembly[] assemblies, long mark)
        {
            this.mark = mark;
            foreach (Assembly assembly in assemblies) names.Add(Frameworks.NameOf(assembly));
        }

        // The state at the last refresh: a new object after assemblies were loaded or unloaded.
        internal static Loaded Now
        {
            get { return now ?? Refresh(AppDomain.CurrentDomain.GetAssemblies()); }
        }

        internal static Loaded Refresh(Assembly[] assemblies)
        {
            long mark = assemblies.Length;
            foreach (Assembly assembly in assemblies) mark = mark * 31 + RuntimeHelpers.GetHashCode(assembly);
            lock (gate)
            {
                if (now == null || now.mark != mark) now = new Loaded(assemblies, mark);
                return now;
            }
        }

        // True if all types in the member's signature are loaded. No property of the member itself is read.
        internal static bool CanRead(Type home, MemberInfo member)
        {
            int token = member.MetadataToken;
            if (!isMono || member.MemberType != MemberTypes.Field) return Now.IsThere(home.Module, token);
            Known its = Now.Of(home.Assembly);
            return its.IsWhole || its.Ask(known => known.FieldIsThere(token));
        }

        // True if reading the instructions of a method loads nothing.
        internal static bool CanReadCode(MethodBase method)
        {
            Type home = method.DeclaringType;
            if (home == null) return false;
            Known its = Now.Of(home.Assembly);
            int token = method.MetadataToken;
            return its.IsWhole || its.Ask(known => known.VariablesAreThere(token));
        }

        // Like IsDefined, which would load the assemblies of the member's other attributes.
        internal static bool HasAttribute(Type home, MemberInfo member, Type attribute)
        {
            Known its = Now.Of(home.Assembly);
            if (its.IsWhole) return member.IsDefined(attribute, false);
            return its.Ask(known => known.Attributes.Has(member.MetadataToken, attribute.Name));
        }

        internal static bool HasAttribute(Type home, ParameterInfo parameter, Type attribute)
        {
            Known its = Now.Of(home.Assembly);
            if (its.IsWhole) return parameter.IsDefined(attribute, false);
            return its.Ask(known => known.Attributes.Has(parameter.MetadataToken, attribute.Name));
        }

        // True if all its references are loaded.
        internal bool IsWhole(Assembly assembly)
        {
            return Of(assembly).IsWhole;
        }

        internal bool IsThere(Module module, int token)
        {
            Known its = Of(module.Assembly);
            if (its.IsWhole) return true;
            return module.Assembly.ManifestModule == module && its.Ask(known => known.AreThere(token));
        }

        // The types of which there may be objects now; null if they cannot be listed.
        internal Type[] TypesOf(Assembly assembly)
        {
            try
            {
                Known its = Of(assembly);
                if (its.IsWhole) return assembly.GetTypes();
                if (its.References == null) return null;
                List<int> tokens;
                lock (its) tokens = its.References.Types(isMono);
                return tokens.ConvertAll(token => Resolve(assembly, token)).ToArray();
            }
            catch (ReflectionTypeLoadException incomplete)
            {
                Discarded.Count("Loaded.TypesOf", incomplete);
                return incomplete.Types;
            }
            catch (Exception discarded)
            {
                Discarded.Count("Loaded.TypesOf", discarded);
                return null;
            }
        }

        // Null if it is incomplete for another reason than an assembly that is not loaded.
        static Type Resolve(Assembly assembly, int token)
        {
            try
            {
                return assembly.ManifestModule.ResolveType(token);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Loaded.Resolve", discarded);
                return null;
            }
        }

        bool IsThere(string name)
        {
            return names.Contains(name) || Frameworks.IsName(name);
        }

        Known Of(Assembly assembly)
        {
            return known.GetValue(assembly, Find);
        }

        Known Find(Assembly assembly)
        {
            var found = new Known();
            try
            {
                found.IsWhole = true;
                foreach (AssemblyName name in assembly.GetReferencedAssemblies())
                    found.IsWhole &= IsThere(name.Name);
                if (found.IsWhole) return found;
            }
            catch (Exception discarded)
            {
                Discarded.Count("Loaded.Find", discarded);
                found.IsWhole = false;
            }
            try
            {
                byte[] bytes = MetadataBytes.Of(assembly);
                Metadata metadata = bytes == null ? null : new Metadata(bytes);
                if (metadata != null && metadata.Id == assembly.ManifestModule.ModuleVersionId)
                    found.References = new References(metadata, Bodies.Variables(assembly.Location, metadata), IsThere);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Loaded.Find", discarded);
                found.References = null;
            }
            if (found.References == null && !assembly.IsDynamic)
                Parts.Miss("metadata", "the metadata of an assembly cannot be read: its types and methods are left out");
            return found;
        }
    }
}
