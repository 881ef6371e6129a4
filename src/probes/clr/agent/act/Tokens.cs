using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Act
{
    /// <summary>
    /// What tokens in the code of a method stand for. A token that leads into an assembly that is not loaded stays
    /// unresolved: to resolve it would load that, and ask handlers of the app where it is. What belongs to .NET itself
    /// may be loaded.
    /// </summary>
    sealed class Tokens
    {
        readonly HashSet<string> loaded = new HashSet<string>();
        readonly Dictionary<MethodBase, string> given = new Dictionary<MethodBase, string>();
        readonly Dictionary<Assembly, bool> whole = new Dictionary<Assembly, bool>();
        readonly Dictionary<Assembly, References> references = new Dictionary<Assembly, References>();

        internal Tokens(Assembly[] assemblies)
        {
            foreach (Assembly assembly in assemblies) loaded.Add(Frameworks.NameOf(assembly));
        }

        /// <summary>Null: it cannot be told.</summary>
        internal MethodBase Method(MethodBase from, int token)
        {
            return Resolved(from, token) as MethodBase;
        }

        internal FieldInfo Field(MethodBase from, int token)
        {
            return Resolved(from, token) as FieldInfo;
        }

        internal Type Type(MethodBase from, int token)
        {
            return Resolved(from, token) as Type;
        }

        /// <summary>
        /// The name of the field that a method gives and does nothing else; null: it does something else.
        /// </summary>
        internal string FieldGivenBy(MethodBase method)
        {
            string name;
            if (given.TryGetValue(method, out name)) return name;
            MethodCode code = MethodCode.Of(method);
            int at = code == null ? -1 : code.GivenFieldAt;
            FieldInfo field = at < 0 ? null : Field(method, Il.Token(code.Bytes, at));
            return given[method] = field == null ? null : field.Name;
        }

        /// <summary>The types that a method takes and gives can be looked at: nothing is loaded for it.</summary>
        internal bool CanTell(Type home, MethodBase method)
        {
            // To ask the method for its module would make Mono load them.
            return IsThere(home.Module, method.MetadataToken);
        }

        /// <summary>Whether an assembly says that it needs another of this name.</summary>
        internal bool Refers(Assembly assembly, string name)
        {
            try
            {
                foreach (AssemblyName each in assembly.GetReferencedAssemblies()) if (each.Name == name) return true;
                return false;
            }
            catch (Exception)
            {
                return true;
            }
        }

        /// <summary>The types of which there may be objects now; null: they cannot be listed.</summary>
        internal Type[] TypesOf(Assembly assembly)
        {
            try
            {
                if (IsWhole(assembly)) return assembly.GetTypes();
                References known = ReferencesOf(assembly.ManifestModule);
                if (known == null) return null;
                var types = new List<Type>();
                foreach (int token in known.Types()) types.Add(assembly.ManifestModule.ResolveType(token));
                return types.ToArray();
            }
            catch (ReflectionTypeLoadException incomplete)
            {
                return incomplete.Types;
            }
            catch (Exception)
            {
                return null;
            }
        }

        MemberInfo Resolved(MethodBase from, int token)
        {
            if (!IsThere(from.Module, token)) return null;
            try
            {
                Type home = from.DeclaringType;
                Type[] ofType = home != null && home.IsGenericType ? home.GetGenericArguments() : null;
                Type[] ofMethod = from.IsGenericMethod ? from.GetGenericArguments() : null;
                return from.Module.ResolveMember(token, ofType, ofMethod);
            }
            catch (Exception)
            {
                return null;
            }
        }

        bool IsThere(Module module, int token)
        {
            if (IsWhole(module.Assembly)) return true;
            References known = ReferencesOf(module);
            return known != null && known.AreThere(token);
        }

        /// <summary>All that it refers to is there: the usual case.</summary>
        bool IsWhole(Assembly assembly)
        {
            bool known;
            if (whole.TryGetValue(assembly, out known)) return known;
            known = true;
            try
            {
                foreach (AssemblyName name in assembly.GetReferencedAssemblies()) known &= IsThere(name.Name);
            }
            catch (Exception)
            {
                known = false;
            }
            whole[assembly] = known;
            return known;
        }

        bool IsThere(string name)
        {
            return loaded.Contains(name) || Frameworks.IsName(name);
        }

        /// <summary>Null: its metadata cannot be had, or is that of another build.</summary>
        References ReferencesOf(Module module)
        {
            References known;
            if (references.TryGetValue(module.Assembly, out known)) return known;
            try
            {
                byte[] bytes = module.Assembly.ManifestModule == module ? MetadataBytes.Of(module.Assembly) : null;
                Metadata metadata = bytes == null ? null : new Metadata(bytes);
                if (metadata != null && metadata.Id == module.ModuleVersionId)
                    known = new References(metadata, IsThere);
            }
            catch (Exception)
            {
                known = null;
            }
            references[module.Assembly] = known;
            return known;
        }
    }
}
