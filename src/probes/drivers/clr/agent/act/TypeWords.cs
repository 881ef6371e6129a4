using System;
using System.Collections.Generic;
using System.Text;
using Substrate.Json;

namespace Substrate.Act
{
    // Writes types and values in words for people.
    static class TypeWords
    {
        const int MaxDepth = 3;
        static readonly Dictionary<Type, string> Keywords = new Dictionary<Type, string>
        {
            { typeof(void), "void" }, { typeof(object), "object" }, { typeof(string), "string" },
                { typeof(bool), "bool" },
            { typeof(char), "char" }, { typeof(sbyte), "sbyte" }, { typeof(byte), "byte" }, { typeof(short), "short" },
            { typeof(ushort), "ushort" }, { typeof(int), "int" }, { typeof(uint), "uint" }, { typeof(long), "long" },
            { typeof(ulong), "ulong" }, { typeof(float), "float" }, { typeof(double), "double" },
            { typeof(decimal), "decimal" },
        };

        // The value as JSON.
        internal static string Text(object json)
        {
            return new JsonWriter().Value(json).ToString();
        }

        internal static string Cut(string text, int max)
        {
            return text.Length <= max ? text : text.Substring(0, max) + "…";
        }

        // The type in C# syntax, without namespaces: `List<Item>`, `int?`, `string[]`.
        internal static string Name(Type type)
        {
            return Name(type, 0);
        }

        static string Name(Type type, int depth)
        {
            string keyword;
            if (Keywords.TryGetValue(type, out keyword)) return keyword;
            Type inner = Nullable.GetUnderlyingType(type);
            if (inner != null) return Name(inner, depth) + "?";
            if (type.IsByRef) return "ref " + Name(type.GetElementType(), depth);
            if (type.IsPointer) return Name(type.GetElementType(), depth) + "*";
            if (type.IsArray)
                return Name(type.GetElementType(), depth + 1) + "[" + new string(',', type.GetArrayRank() - 1) + "]";
            string name = type.Name;
            int tick = name.IndexOf('`');
            if (tick > 0) name = name.Substring(0, tick);
            if (!type.IsGenericType || depth > MaxDepth) return name;
            Type[] arguments = type.GetGenericArguments();
            var spoken = new List<string>();
            foreach (Type argument in arguments) spoken.Add(Name(argument, depth + 1));
            if (SayableTypes.IsTuple(type) && type.IsValueType) return "(" + string.Join(", ", spoken.ToArray()) + ")";
            return name + "<" + string.Join(", ", spoken.ToArray()) + ">";
        }

        // `a Cart`, `an Item`.
        internal static string A(string name)
        {
            return ("AEIOUaeiou".IndexOf(name[0]) >= 0 ? "an " : "a ") + name;
        }

        internal static string SpokenName(object value)
        {
            Type type = value.GetType();
            return type.Name.IndexOf('<') >= 0 ? Disguised(type) : Name(type);
        }

        // Names for generated types, whose own names nobody wrote.
        static string Disguised(Type type)
        {
            if (type.Name.IndexOf("AnonymousType", StringComparison.Ordinal) >= 0) return "object";
            return typeof(System.Collections.IEnumerable).IsAssignableFrom(type) ? "sequence" : "object";
        }
    }
}
