using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Act
{
    // Methods of the app that the framework calls on what it is given. To compare two objects and to write one as text
    // is theirs; what they do beside that is to be seen.
    static class Contracts
    {
        static readonly HashSet<string> OfAll =
            new HashSet<string> { "Equals", "GetHashCode", "ToString", "CompareTo" };
        // By these the framework goes through a collection of the app's own make.
        static readonly HashSet<string> OfCollections = new HashSet<string>
        {
            "GetEnumerator", "MoveNext", "get_Current", "get_Count", "get_Item", "Contains", "CopyTo", "IndexOf",
            "ContainsKey",
            "TryGetValue", "get_Keys", "get_Values", "Dispose",
        };

        internal static bool IsOne(Type type, MethodInfo method)
        {
            string name = method.Name;
            int dot = name.LastIndexOf('.');
            if (dot >= 0) name = name.Substring(dot + 1);
            if (OfAll.Contains(name)) return true;
            bool isCollection = typeof(IEnumerable).IsAssignableFrom(type)
                || typeof(IEnumerator).IsAssignableFrom(type);
            return isCollection && OfCollections.Contains(name);
        }

        // Something is disposed of, and something that is handled does more then than an iteration.
        internal static bool MayDispose(MethodFacts facts)
        {
            bool disposes = false;
            foreach (Call call in facts.Calls) disposes |= call.Method.DeclaringType == typeof(IDisposable);
            if (!disposes) return false;
            foreach (Type type in facts.Handled)
                if (typeof(IDisposable).IsAssignableFrom(type) && !typeof(IEnumerator).IsAssignableFrom(type))
                    return true;
            return false;
        }

        // The types outside the framework whose objects a call of the framework may get hold of.
        internal static HashSet<Type> TypesFor(Call call, MethodFacts facts)
        {
            var types = new HashSet<Type>();
            if (facts.Handled.Count == 0) return types;
            MethodBase method = call.Method;
            MethodFacts.AddForeign(types, method.DeclaringType, 0);
            MethodFacts.AddForeign(types, call.Constrained, 0);
            if (method.IsGenericMethod)
                foreach (Type argument in method.GetGenericArguments()) MethodFacts.AddForeign(types, argument, 0);
            bool isOpen = method.DeclaringType == typeof(object) && method.Name != ".ctor" && method.Name != "GetType"
                && call.Constrained == null || method.DeclaringType.IsInterface;
            foreach (ParameterInfo parameter in method.GetParameters()) isOpen |= IsOpen(parameter.ParameterType);
            if (isOpen) types.UnionWith(facts.Handled);
            return types;
        }

        // Anything may be passed as such a type.
        static bool IsOpen(Type type)
        {
            if (type.HasElementType) type = type.GetElementType();
            return type == typeof(object) || type.IsInterface || type.IsGenericType
                && type.GetGenericArguments()[0] == typeof(object);
        }
    }
}
