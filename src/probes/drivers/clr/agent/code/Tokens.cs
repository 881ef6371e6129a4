using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Code
{
    // Resolves the tokens in the code of a method. A token that leads into an assembly that is not loaded stays
    // unresolved: resolving it would load that, and call handlers of the app. Assemblies of .NET itself may be loaded.
    sealed class Tokens
    {
        readonly Dictionary<MethodBase, string> given = new Dictionary<MethodBase, string>();
        internal readonly Loaded Loaded;

        internal Tokens(Loaded loaded)
        {
            Loaded = loaded;
        }

        // The name of the field that a method returns and does nothing else; null if it does something else.
        internal string FieldGivenBy(MethodBase method)
        {
            string name;
            if (given.TryGetValue(method, out name)) return name;
            MethodCode code = MethodCode.Of(method);
            int at = code == null ? -1 : code.GivenFieldAt;
            MemberInfo field = at < 0 ? null : Member(method, Il.Token(code.Bytes, at));
            return given[method] = field == null ? null : field.Name;
        }

        // True if the types in its signature can be read without loading anything.
        internal bool CanRead(Type home, MethodBase method)
        {
            // The module of the method is not used: Mono would load these types for it.
            return Loaded.IsThere(home.Module, method.MetadataToken);
        }

        // Whether an assembly references another of this name.
        internal bool Refers(Assembly assembly, string name)
        {
            try
            {
                foreach (AssemblyName each in assembly.GetReferencedAssemblies()) if (each.Name == name) return true;
                return false;
            }
            catch (Exception discarded)
            {
                Discarded.Count("Tokens.Refers", discarded);
                return true;
            }
        }

        // Null if it cannot be resolved.
        internal MemberInfo Member(MethodBase from, int token)
        {
            if (!Loaded.IsThere(from.Module, token)) return null;
            try
            {
                Type home = from.DeclaringType;
                Type[] ofType = home != null && home.IsGenericType ? home.GetGenericArguments() : null;
                Type[] ofMethod = from.IsGenericMethod ? from.GetGenericArguments() : null;
                return from.Module.ResolveMember(token, ofType, ofMethod);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Tokens.Member", discarded);
                return null;
            }
        }
    }
}
