using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Substrate.Code;
using Substrate.Health;
using Substrate.Json;
using Substrate.Meta;
using Substrate.State;

namespace Substrate.Act
{
    // The public methods and settable properties of a type that JSON can call.
    sealed class TypeMethods
    {
        internal const string SetPrefix = "set_";
        const int MaxParameters = 24;
        const BindingFlags Declared =
            BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        readonly IShown shown;
        readonly FactsWriter writer;
        readonly SayableTypes sayable;

        internal TypeMethods(IShown shown, FactsWriter writer, SayableTypes sayable)
        {
            this.sayable = sayable;
            this.shown = shown;
            this.writer = writer;
        }

        // Facts in the order of the source; the type's own before inherited ones. `isWhole`: false where some mention
        // types of assemblies that are not loaded.
        internal List<JsonWriter> FactsOf(Type type, Tokens tokens, out bool isWhole)
        {
            var found = new List<JsonWriter>();
            var seen = new HashSet<string>();
            isWhole = true;
            // The type of a lambda is a function, and an exception is a past event.
            bool isCode = type.Name.IndexOf('<') >= 0 || typeof(Exception).IsAssignableFrom(type)
                || typeof(Delegate).IsAssignableFrom(type) || typeof(Attribute).IsAssignableFrom(type);
            if (isCode) return found;
            foreach (Type home in Homes(type))
                foreach (MethodInfo method in MethodsOf(home))
                    try
                    {
                        // An object of a struct is a boxed copy: a change of it has no effect.
                        if (type.IsValueType && !method.IsStatic) continue;
                        bool canRead = tokens.CanRead(home, method);
                        isWhole &= canRead;
                        if (!canRead || !seen.Add(KeyOf(method)) || !CanBeCalled(home, method)) continue;
                        JsonWriter facts = writer.Method(tokens, home, method);
                        if (facts != null) found.Add(facts);
                    }
                    catch (Exception discarded)
                    {
                        // A type in its signature is missing: the app cannot call it either.
                        Discarded.Count("TypeMethods.FactsOf", discarded);
                    }
            return found;
        }

        // The method that an object of this type runs; null if there is none.
        internal MethodInfo Find(Type type, string key, Tokens tokens)
        {
            foreach (Type home in Homes(type))
                foreach (MethodInfo method in MethodsOf(home))
                    if (key.StartsWith(method.Name, StringComparison.Ordinal) && tokens.CanRead(home, method)
                        && KeyOf(method) == key && CanBeCalled(home, method)) return method;
            return null;
        }

        // The type, its ancestors and its interfaces, as far as they are the app's.
        List<Type> Homes(Type type)
        {
            var homes = new List<Type>();
            for (Type at = type; at != null; at = at.BaseType) if (shown.IsOfApp(at)) homes.Add(at);
            foreach (Type each in type.GetInterfaces()) if (shown.IsOfApp(each)) homes.Add(each);
            return homes;
        }

        // The order of the source, by metadata tokens: reflection guarantees none.
        static List<MethodInfo> MethodsOf(Type home)
        {
            var methods = new List<MethodInfo>();
            try
            {
                methods.AddRange(home.GetMethods(Declared));
                methods.Sort((one, other) => one.MetadataToken.CompareTo(other.MetadataToken));
            }
            catch (Exception discarded)
            {
                // A type in its members is missing.
                Discarded.Count("TypeMethods.MethodsOf", discarded);
            }
            return methods;
        }

        internal static string KeyOf(MethodInfo method)
        {
            var key = new StringBuilder(method.Name);
            foreach (ParameterInfo parameter in method.GetParameters()) key.Append('|').Append(parameter.ParameterType);
            return key.ToString();
        }

        bool CanBeCalled(Type home, MethodInfo method)
        {
            if (method.IsAbstract && home.IsInterface || method.IsGenericMethodDefinition
                || method.ContainsGenericParameters) return false;
            ParameterInfo[] parameters = method.GetParameters();
            if (method.IsSpecialName && !IsSetter(method, parameters) || parameters.Length > MaxParameters)
                return false;
            foreach (ParameterInfo parameter in parameters)
                if (!SayableTypes.IsSupplied(parameter.ParameterType) && !sayable.CanSay(parameter.ParameterType))
                    return false;
            Type result = method.ReturnType;
            return !result.IsByRef && !result.IsPointer && !SayableTypes.IsByRefLike(result);
        }

        // True for the setter of a property, except indexers and init-only properties.
        static bool IsSetter(MethodInfo method, ParameterInfo[] parameters)
        {
            if (!method.Name.StartsWith(SetPrefix, StringComparison.Ordinal) || parameters.Length != 1) return false;
            foreach (Type modifier in method.ReturnParameter.GetRequiredCustomModifiers())
                if (modifier.Name == "IsExternalInit") return false;
            return true;
        }

        // `params string[] rest`.
        internal static bool IsRest(ParameterInfo parameter)
        {
            return parameter.ParameterType.IsArray
                && Loaded.HasAttribute(parameter.Member.DeclaringType, parameter, typeof(ParamArrayAttribute));
        }
    }
}
