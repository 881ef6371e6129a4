using System;
using System.Collections;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Meta;

namespace Substrate.Code
{
    // Finds the methods that may run at a call.
    sealed class Targets
    {
        const BindingFlags Declared =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        const int MaxTypes = 60;
        // Methods that compare two objects or write one as text.
        static readonly HashSet<string> OfAll =
            new HashSet<string> { "Equals", "GetHashCode", "ToString", "CompareTo" };
        // The framework calls these to enumerate a collection that the app implements.
        static readonly HashSet<string> OfCollections = new HashSet<string>
        {
            "GetEnumerator", "MoveNext", "get_Current", "get_Count", "get_Item", "Contains", "CopyTo", "IndexOf",
            "ContainsKey", "TryGetValue", "get_Keys", "get_Values", "Dispose",
        };
        readonly Hierarchy hierarchy;
        readonly Func<Type, bool> isOfApp;
        readonly Dictionary<Type, List<MethodBase>> contracts = new Dictionary<Type, List<MethodBase>>();

        internal Targets(Hierarchy hierarchy, Func<Type, bool> isOfApp)
        {
            this.hierarchy = hierarchy;
            this.isOfApp = isOfApp;
        }

        // All methods that may run; null if that is not possible.
        internal List<MethodBase> Of(Reference call, Pace pace)
        {
            MethodBase method = call.Method;
            Type owner = method.DeclaringType;
            bool isFixed = call.IsExact || !method.IsVirtual || method.IsFinal || owner.IsSealed;
            if (isFixed && call.Constrained == null) return new List<MethodBase> { method };
            if (call.Constrained != null && call.Constrained.IsValueType)
            {
                MethodBase run = RunBy(call.Constrained, (MethodInfo)method);
                return run == null ? null : new List<MethodBase> { run };
            }
            // A library is too large to be searched for subtypes.
            List<Type> below = isOfApp(owner) ? hierarchy.Below(owner, pace) : null;
            if (below == null || below.Count > MaxTypes) return null;
            var found = new List<MethodBase>();
            if (!method.IsAbstract) found.Add(method);
            foreach (Type type in below)
            {
                if (type.IsAbstract && owner.IsInterface) continue;
                List<MethodBase> own = owner.IsInterface ? Implementations(type, owner, method)
                    : Overrides(type, method);
                if (own == null) return null;
                found.AddRange(own);
            }
            // No loaded type implements it, and a later one is not known.
            return found.Count == 0 ? null : found;
        }

        // Matched by name and parameter count: one too many is better than one too few. Null if that is not possible.
        static List<MethodBase> Overrides(Type type, MethodBase method)
        {
            var found = new List<MethodBase>();
            int count = method.GetParameters().Length;
            foreach (MethodInfo each in type.GetMethods(Declared))
            {
                if (!each.IsVirtual || each.IsAbstract || each.Name != method.Name) continue;
                if (!Loaded.CanRead(type, each)) return null;
                if (each.GetParameters().Length == count) found.Add(each);
            }
            return found;
        }

        static List<MethodBase> Implementations(Type type, Type owner, MethodBase method)
        {
            try
            {
                var found = new List<MethodBase>();
                foreach (Type each in type.GetInterfaces())
                {
                    bool isMeant = each == owner || owner.IsGenericType && each.IsGenericType
                        && each.GetGenericTypeDefinition() == owner.GetGenericTypeDefinition();
                    if (!isMeant) continue;
                    InterfaceMapping map = type.GetInterfaceMap(each);
                    for (int at = 0; at < map.InterfaceMethods.Length; at++)
                        if (map.InterfaceMethods[at].MetadataToken == method.MetadataToken)
                            found.Add(map.TargetMethods[at]);
                }
                return found.Count == 0 ? null : found;
            }
            catch (Exception discarded)
            {
                Discarded.Count("Targets.Implementations", discarded);
                return null;
            }
        }

        // The method that an object of exactly this type runs; null if that is not possible.
        internal MethodBase RunBy(Type type, MethodInfo method)
        {
            if (method.DeclaringType == type || method.IsFinal) return method;
            if (method.DeclaringType.IsInterface)
            {
                List<MethodBase> found = Implementations(type, method.DeclaringType, method);
                return found == null || found.Count != 1 ? method.IsAbstract ? null : method : found[0];
            }
            MethodInfo first = method.GetBaseDefinition();
            for (Type at = type; at != null && at != method.DeclaringType; at = at.BaseType)
                foreach (MethodInfo each in at.GetMethods(Declared))
                    if (each.IsVirtual && each.Name == method.Name && each.GetBaseDefinition() == first) return each;
            return method;
        }

        // The methods of the app that the framework may call on objects of the type or its subtypes; null if that is
        // not possible.
        internal List<MethodBase> ContractsOf(Type type, Pace pace)
        {
            List<MethodBase> known;
            if (contracts.TryGetValue(type, out known)) return known;
            var found = new HashSet<MethodBase>();
            AddContracts(found, type);
            List<Type> below = type.IsSealed || !isOfApp(type) ? new List<Type>() : hierarchy.Below(type, pace);
            if (below == null || below.Count > MaxTypes) return null;
            foreach (Type each in below) AddContracts(found, each);
            return contracts[type] = new List<MethodBase>(found);
        }

        static void AddContracts(HashSet<MethodBase> found, Type type)
        {
            for (Type at = type; at != null && !Frameworks.Is(at); at = at.BaseType)
                foreach (MethodInfo method in at.GetMethods(Declared))
                    if (method.IsVirtual && !method.IsAbstract && IsContract(at, method)) found.Add(method);
        }

        static bool IsContract(Type type, MethodInfo method)
        {
            string name = method.Name.Substring(method.Name.LastIndexOf('.') + 1);
            bool isCollection = typeof(IEnumerable).IsAssignableFrom(type)
                || typeof(IEnumerator).IsAssignableFrom(type);
            return OfAll.Contains(name) || isCollection && OfCollections.Contains(name);
        }
    }
}
