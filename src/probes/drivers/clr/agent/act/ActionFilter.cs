using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Meta;
using Substrate.State;

namespace Substrate.Act
{
    // Tells what is public for the sake of other code from what a person might want to be done.
    sealed class ActionFilter
    {
        const BindingFlags Declared =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        static readonly HashSet<string> Never = new HashSet<string>
        {
            "Equals", "GetHashCode", "ToString", "GetType", "Finalize", "Dispose", "DisposeAsync", "CompareTo",
            "GetEnumerator",
            "GetAsyncEnumerator", "Main", "Deconstruct", "MemberwiseClone", "Clone", "GetObjectData",
            "OnDeserialization",
            "InitializeComponent", "GetTypeCode",
        };
        // Objects of such types are handed from one part of a program to another, never in from outside.
        static readonly string[] BetweenParts = { "EventArgs", "Event", "Listener", "Visitor", "Observer", "Callback" };
        static readonly HashSet<string> Lifecycle =
            new HashSet<string> { "Init", "Initialize", "Initialise", "Destroy" };

        readonly IShown shown;
        // Name and number of parameters of what an interface declares.
        readonly ConditionalWeakTable<Type, HashSet<string>> declared =
            new ConditionalWeakTable<Type, HashSet<string>>();

        internal ActionFilter(IShown shown)
        {
            this.shown = shown;
        }

        // All of such a type: what a compiler made for a lambda is a piece of code, and an exception has happened
        // already.
        internal static bool IsAll(Type type)
        {
            return type.Name.IndexOf('<') >= 0 || typeof(Exception).IsAssignableFrom(type)
                || typeof(Delegate).IsAssignableFrom(type)
                || typeof(Attribute).IsAssignableFrom(type);
        }

        // `code`: null where there is none to be had.
        internal bool Is(Type home, MethodInfo method, MethodCode code)
        {
            string name = method.Name;
            if (name.IndexOf('<') >= 0 || name.IndexOf('.') >= 0 || Never.Contains(name)) return true;
            ParameterInfo[] parameters = method.GetParameters();
            foreach (ParameterInfo parameter in parameters) if (IsBetweenParts(parameter.ParameterType)) return true;
            if (code != null && code.IsEmpty) return true;
            if (method.IsStatic) return parameters.Length == 0 && method.ReturnType == home;
            return IsCalledFromOutside(home, method, name + "/" + parameters.Length);
        }

        // Worth showing only where there is little else: computations on values, conversions, factories, lifecycles.
        internal static bool IsMinor(Type type, MethodInfo method)
        {
            string name = method.Name;
            if (Lifecycle.Contains(name)) return true;
            // Any object at all: for code that looks into objects, as this does.
            foreach (ParameterInfo parameter in method.GetParameters())
                if (parameter.ParameterType == typeof(object)) return true;
            if (method.ReturnType == typeof(void)) return false;
            if (method.IsStatic) return method.ReturnType == method.DeclaringType;
            bool isConversion = method.GetParameters().Length == 0
                && (Signature.BeginsWith(name, "To") || Signature.BeginsWith(name, "As"));
            return isConversion || IsValue(type);
        }

        // Nothing in its objects ever changes: what its methods bring follows from what is shown already.
        static bool IsValue(Type type)
        {
            for (Type at = type; at != null && at != typeof(object) && at != typeof(ValueType); at = at.BaseType)
            {
                if (Frameworks.Is(at)) return false;
                foreach (FieldInfo field in at.GetFields(Declared))
                    if (!field.IsInitOnly || !Loaded.CanTell(at, field) || !IsScalar(field.FieldType)) return false;
            }
            return true;
        }

        static bool IsScalar(Type type)
        {
            return type.IsEnum || ScalarFromJson.Knows(type);
        }

        static bool IsBetweenParts(Type type)
        {
            if (type.IsPrimitive || type.IsEnum) return false;
            if (typeof(EventArgs).IsAssignableFrom(type)) return true;
            foreach (string word in BetweenParts) if (type.Name.EndsWith(word, StringComparison.Ordinal)) return true;
            return false;
        }

        // `Execute`, `Compare`, `OnPaint`: what the framework or a library declares is there to be called by the
        // framework or the library, and what a listener declares by what it listens to.
        bool IsCalledFromOutside(Type home, MethodInfo method, string key)
        {
            Type first = method.GetBaseDefinition().DeclaringType;
            if (first != null && first != home && !shown.IsOfApp(first)) return true;
            foreach (Type each in home.GetInterfaces())
            {
                bool isForOthers = !shown.IsOfApp(each) || IsBetweenParts(each);
                if (isForOthers && DeclaredBy(each).Contains(key)) return true;
            }
            return false;
        }

        HashSet<string> DeclaredBy(Type type)
        {
            return declared.GetValue(type, each =>
            {
                var keys = new HashSet<string>();
                foreach (MethodInfo method in each.GetMethods(Declared))
                    if (Loaded.CanTell(each, method)) keys.Add(method.Name + "/" + method.GetParameters().Length);
                return keys;
            });
        }
    }
}
