using System;
using System.Collections.Generic;
using System.Text;
using Substrate.Json;

namespace Substrate.Act
{
    // Types and values in words.
    static class TypeWords
    {
        const int MaxGiven = 80;
        const int MaxConstants = 40;
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

        // string, number, boolean, object or array, as JSON says the type; null: anything is taken.
        internal static string Json(Type type)
        {
            type = Nullable.GetUnderlyingType(type) ?? type;
            if (type == typeof(bool)) return "boolean";
            if (type.IsEnum) return "string";
            if (ScalarFromJson.IsNumber(type)) return "number";
            if (ScalarFromJson.Knows(type)) return "string";
            if (Coerce.TakesAnything(type)) return null;
            if (type.IsArray || Tuples.Is(type)) return "array";
            Type made = ContainerFromJson.TypeFor(type);
            if (made == null) return "object";
            return ContainerFromJson.IsMap(made) ? "object" : "array";
        }

        // What comes back: `void`, `unknown` or as JSON says it; what a task brings is waited for.
        internal static string Returned(Type type)
        {
            Type brought = Awaiting.Brings(type) ?? type;
            if (brought == typeof(void)) return "void";
            return Json(brought) ?? "unknown";
        }

        // For people: `a whole number …`, `one of Open, Paid`, `a date such as 2024-05-31`.
        internal static string Wanted(Type type)
        {
            type = Nullable.GetUnderlyingType(type) ?? type;
            if (type.IsEnum) return "one of " + Joined(Enums.Names(type));
            string example = ScalarFromJson.Example(type);
            if (example != null) return example;
            if (type == typeof(bool)) return "true or false";
            if (type == typeof(char)) return "one character";
            string range = ScalarFromJson.Range(type);
            if (range != null) return "a whole number from " + range;
            if (ScalarFromJson.IsNumber(type)) return "a number";
            return type == typeof(string) ? "text" : A(Name(type));
        }

        // A value of JSON, cut when it is long.
        internal static string Given(object json)
        {
            if (json is List<object>) return "an array";
            if (json is Dictionary<string, object>) return "an object";
            return Cut(Text(json), MaxGiven);
        }

        // As JSON writes it.
        internal static string Text(object json)
        {
            return new JsonWriter().Value(json).ToString();
        }

        internal static string Cut(string text, int max)
        {
            return text.Length <= max ? text : text.Substring(0, max) + "…";
        }

        internal static string Joined(IEnumerable<string> names)
        {
            var text = new StringBuilder();
            int count = 0;
            foreach (string name in names)
            {
                if (count++ > 0) text.Append(", ");
                if (count > MaxConstants) return text.Append('…').ToString();
                text.Append(name);
            }
            return text.ToString();
        }

        // As C# writes it, without namespaces: `List<Item>`, `int?`, `string[]`.
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
            if (Tuples.Is(type) && type.IsValueType) return "(" + string.Join(", ", spoken.ToArray()) + ")";
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

        // What a compiler made has a name that nobody wrote.
        static string Disguised(Type type)
        {
            if (type.Name.IndexOf("AnonymousType", StringComparison.Ordinal) >= 0) return "object";
            return typeof(System.Collections.IEnumerable).IsAssignableFrom(type) ? "sequence" : "object";
        }
    }
}
