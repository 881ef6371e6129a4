using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Act
{
    // What the state must show before a method can be called: objects that no JSON makes can only be named.
    static class RequiredReferences
    {
        const int MaxDepth = 3;

        // Adds the types of which an object is needed.
        internal static void Add(HashSet<Type> needs, Type type)
        {
            Add(needs, type, 0);
        }

        static void Add(HashSet<Type> needs, Type type, int depth)
        {
            type = Nullable.GetUnderlyingType(type) ?? type;
            if (depth > MaxDepth || IsScalar(type)) return;
            if (type.IsArray) Add(needs, type.GetElementType(), depth + 1);
            else if (Tuples.Is(type) || ContainerFromJson.TypeFor(type) != null)
                foreach (Type argument in type.GetGenericArguments()) Add(needs, argument, depth + 1);
            else if (!CanBeMade(type, depth)) needs.Add(type);
        }

        static bool IsScalar(Type type)
        {
            return type.IsEnum || ScalarFromJson.Knows(type) || Coerce.TakesAnything(type);
        }

        static bool CanBeMade(Type type, int depth)
        {
            if (type.IsInterface || type.IsAbstract || Frameworks.Is(type)) return false;
            if (type.IsValueType) return true;
            foreach (ConstructorInfo constructor in ObjectFromJson.Constructors(type))
                if (AreMade(constructor.GetParameters(), depth)) return true;
            return false;
        }

        static bool AreMade(ParameterInfo[] parameters, int depth)
        {
            foreach (ParameterInfo parameter in parameters)
            {
                Type type = Nullable.GetUnderlyingType(parameter.ParameterType) ?? parameter.ParameterType;
                bool isMade = IsScalar(type) || parameter.IsOptional || type.IsArray || ContainerFromJson.TypeFor(type) != null
                    || Tuples.Is(type) || depth < MaxDepth && CanBeMade(type, depth + 1);
                if (!isMade) return false;
            }
            return true;
        }
    }
}
