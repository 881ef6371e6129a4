using System;
using System.Collections.Generic;
using System.Text;
using Substrate.Json;

namespace Substrate.Act
{
    // Writes types in the form that the daemon reads, see type-text.ts:
    // `System.Collections.Generic.List<Example.Item>`.
    static class TypeText
    {
        const int MaxDepth = 6;
        const int MaxLineage = 500;

        internal static string Of(Type type)
        {
            return Of(type, 0);
        }

        static string Of(Type type, int depth)
        {
            Type inner = Nullable.GetUnderlyingType(type);
            if (inner != null) return Of(inner, depth) + "?";
            if (type.IsArray && type.GetArrayRank() == 1) return Of(type.GetElementType(), depth + 1) + "[]";
            if (!type.IsGenericType || depth > MaxDepth) return Name(type);
            var arguments = new List<string>();
            foreach (Type argument in type.GetGenericArguments()) arguments.Add(Of(argument, depth + 1));
            return Name(type) + "<" + string.Join(",", arguments.ToArray()) + ">";
        }

        // The full name, without type arguments and their count.
        internal static string Name(Type type)
        {
            Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
            string name = definition.FullName ?? definition.Name;
            if (name.IndexOf('`') < 0) return name;
            var plain = new StringBuilder();
            for (int at = 0; at < name.Length; at++)
            {
                if (name[at] == '`') while (at + 1 < name.Length && char.IsDigit(name[at + 1])) at++;
                else plain.Append(name[at]);
            }
            return plain.ToString();
        }

        // The type itself, what it extends and what it implements.
        internal static void WriteLineage(JsonWriter answer, Type type)
        {
            var lineage = new List<Type>();
            for (Type at = type; at != null && at != typeof(object); at = at.BaseType) lineage.Add(at);
            lineage.AddRange(type.GetInterfaces());
            answer.Raw('[');
            for (int at = 0; at < Math.Min(lineage.Count, MaxLineage); at++)
                answer.Raw(at == 0 ? "" : ",").Text(Of(lineage[at]));
            answer.Raw(']');
        }
    }
}
