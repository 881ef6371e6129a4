using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Substrate.Meta;
using Substrate.State;

namespace Substrate.Act
{
    // The methods of a type, and the properties that can be set, that are worth calling from outside.
    sealed class TypeMethods
    {
        const int MaxParameters = 24;
        const string SetPrefix = "set_";
        const BindingFlags Declared =
            BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        readonly IShown shown;
        readonly ActionFilter plumbing;
        // Weakly: types of the app may be unloaded.
        readonly ConditionalWeakTable<Type, Listed> known = new ConditionalWeakTable<Type, Listed>();

        internal TypeMethods(IShown shown)
        {
            this.shown = shown;
            plumbing = new ActionFilter(shown);
        }

        // In the order of the source; those of the type before those that it inherits.
        internal List<Signature> Of(Type type, Tokens tokens)
        {
            Listed listed;
            bool isKnown = known.TryGetValue(type, out listed);
            // Types that could not be looked at may be there now.
            if (isKnown && (listed.IsWhole || listed.Tokens.Target == tokens)) return listed.Signatures;
            if (isKnown) known.Remove(type);
            listed = known.GetValue(type, each => Find(each, tokens));
            return listed.Signatures;
        }

        Listed Find(Type type, Tokens tokens)
        {
            var found = new List<Signature>();
            var seen = new HashSet<string>();
            bool isWhole = true;
            if (ActionFilter.IsAll(type)) return new Listed(found, true, tokens);
            foreach (Type home in Homes(type))
                foreach (MethodInfo method in MethodsOf(home))
                    try
                    {
                        // A struct that is found is a copy: to change that changes nothing.
                        if (type.IsValueType && !method.IsStatic) continue;
                        bool canTell = tokens.CanTell(home, method);
                        isWhole &= canTell;
                        if (!canTell || !seen.Add(KeyOf(method)) || !IsWanted(tokens, home, method)) continue;
                        found.Add(Described(tokens, type, method));
                    }
                    catch (Exception)
                    {
                        // A type that it mentions is not there: the app cannot call it either.
                    }
            RemoveHiddenSetters(found);
            return new Listed(found, isWhole, tokens);
        }

        // The type, its ancestors and its interfaces, as far as they are the app's.
        List<Type> Homes(Type type)
        {
            var homes = new List<Type>();
            for (Type at = type; at != null; at = at.BaseType) if (shown.IsOfApp(at)) homes.Add(at);
            foreach (Type each in type.GetInterfaces()) if (shown.IsOfApp(each)) homes.Add(each);
            return homes;
        }

        // In the order of the source, as far as tokens tell it: reflection promises none.
        static List<MethodInfo> MethodsOf(Type home)
        {
            var methods = new List<MethodInfo>();
            try
            {
                methods.AddRange(home.GetMethods(Declared));
                methods.Sort((one, other) => one.MetadataToken.CompareTo(other.MetadataToken));
            }
            catch (Exception)
            {
                // The type is not complete.
            }
            return methods;
        }

        static string KeyOf(MethodInfo method)
        {
            var key = new StringBuilder(method.Name);
            foreach (ParameterInfo parameter in method.GetParameters()) key.Append('|').Append(parameter.ParameterType);
            return key.ToString();
        }

        bool IsWanted(Tokens tokens, Type home, MethodInfo method)
        {
            if (method.IsAbstract && home.IsInterface || method.IsGenericMethodDefinition
                || method.ContainsGenericParameters) return false;
            ParameterInfo[] parameters = method.GetParameters();
            if (method.IsSpecialName && !IsSetter(method, parameters) || parameters.Length > MaxParameters)
                return false;
            foreach (ParameterInfo parameter in parameters)
                if (!Coerce.IsSupplied(parameter.ParameterType) && !Coerce.CanMake(parameter.ParameterType))
                    return false;
            Type result = method.ReturnType;
            if (result.IsByRef || result.IsPointer || Coerce.IsByRefLike(result)) return false;
            MethodCode code = MethodCode.Of(method);
            if (plumbing.Is(home, method, code)) return false;
            // Those that extend others are for the code of others.
            if (method.IsStatic && Loaded.HasAttribute(home, method, typeof(ExtensionAttribute))) return false;
            if (method.IsStatic && !StaticState.IsTouchedBy(tokens, method, true)) return false;
            return method.IsSpecialName || parameters.Length > 0 || code == null || !code.IsPlainGetter;
        }

        // Of a property, not of an indexer, and not one that only constructors may use.
        static bool IsSetter(MethodInfo method, ParameterInfo[] parameters)
        {
            if (!method.Name.StartsWith(SetPrefix, StringComparison.Ordinal) || parameters.Length != 1) return false;
            foreach (Type modifier in method.ReturnParameter.GetRequiredCustomModifiers())
                if (modifier.Name == "IsExternalInit") return false;
            return true;
        }

        static Signature Described(Tokens tokens, Type type, MethodInfo method)
        {
            string property = method.IsSpecialName ? method.Name.Substring(SetPrefix.Length) : null;
            string name = property == null ? method.Name : "set" + property;
            Parameter[] all = ParameterList.Of(method, property == null ? null : Camel(property));
            var parameters = new List<Parameter>();
            var needs = new HashSet<Type>();
            ParameterInfo[] infos = method.GetParameters();
            for (int at = 0; at < all.Length; at++)
            {
                if (all[at] == null) continue;
                parameters.Add(all[at]);
                if (all[at].Required) RequiredReferences.Add(needs, infos[at].ParameterType);
            }
            bool isLookup = method.IsStatic && method.ReturnType != typeof(void)
                && !StaticState.IsTouchedBy(tokens, method, false);
            return new Signature(name, method, parameters.AsReadOnly(), TypeWords.Returned(method.ReturnType),
                ParameterList.Spoken(name, method, all), needs, isLookup || ActionFilter.IsMinor(type, method));
        }

        // `Title` becomes `title`, `URLPath` becomes `urlPath`.
        static string Camel(string name)
        {
            char[] letters = name.ToCharArray();
            for (int at = 0; at < letters.Length && char.IsUpper(letters[at]); at++)
            {
                bool isLast = at > 0 && at + 1 < letters.Length && char.IsLower(letters[at + 1]);
                if (isLast) break;
                letters[at] = char.ToLowerInvariant(letters[at]);
            }
            return new string(letters);
        }

        // A method of the same name does more than to set.
        static void RemoveHiddenSetters(List<Signature> found)
        {
            var names = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
            foreach (Signature signature in found) if (!signature.IsProperty) names.Add(signature.Name);
            found.RemoveAll(signature => signature.IsProperty && names.Contains(signature.Name));
        }
    }

    // The methods of a type, as far as they could be looked at.
    sealed class Listed
    {
        internal readonly List<Signature> Signatures;
        // False: some mention types of assemblies that were not loaded then.
        internal readonly bool IsWhole;
        // By whom it was decided what is loaded.
        internal readonly WeakReference Tokens;

        internal Listed(List<Signature> signatures, bool isWhole, Tokens tokens)
        {
            Signatures = signatures;
            IsWhole = isWhole;
            Tokens = new WeakReference(tokens);
        }
    }
}
