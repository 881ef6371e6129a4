using System;
using System.Collections.Generic;
using System.Reflection;
using System.Text;
using Substrate.Meta;

namespace Substrate.Act
{
    // The parameters of a method as people are told of them.
    static class ParameterList
    {
        const int MaxName = 100;

        // By position; null: the agent supplies it.
        internal static Parameter[] Of(MethodInfo method, string propertyName)
        {
            ParameterInfo[] infos = method.GetParameters();
            var parameters = new Parameter[infos.Length];
            var taken = new HashSet<string>();
            for (int at = 0; at < infos.Length; at++)
            {
                Type type = infos[at].ParameterType;
                if (Coerce.IsSupplied(type)) continue;
                string wish = propertyName ?? infos[at].Name;
                bool isTelling = wish != null && wish.Length <= MaxName && ShapePath.IsIdentifier(wish);
                string name = Unique(isTelling ? wish : NameFromType(type), taken);
                parameters[at] = new Parameter(name, TypeWords.Json(type), !MayBeLeftOut(infos[at]), Description(type));
            }
            return parameters;
        }

        internal static bool MayBeLeftOut(ParameterInfo parameter)
        {
            return parameter.IsOptional || IsRest(parameter);
        }

        // `params string[] rest`.
        internal static bool IsRest(ParameterInfo parameter)
        {
            return parameter.ParameterType.IsArray
                && Loaded.HasAttribute(parameter.Member.DeclaringType, parameter, typeof(ParamArrayAttribute));
        }

        internal static string Spoken(string name, MethodInfo method, Parameter[] parameters)
        {
            var text = new StringBuilder(name).Append('(');
            ParameterInfo[] infos = method.GetParameters();
            string separator = "";
            for (int at = 0; at < infos.Length; at++)
            {
                if (parameters[at] == null) continue;
                text.Append(separator).Append(TypeWords.Name(infos[at].ParameterType));
                text.Append(' ').Append(parameters[at].Name);
                separator = ", ";
            }
            return text.Append(") -> ").Append(TypeWords.Name(method.ReturnType)).ToString();
        }

        // An obfuscator leaves no names.
        static string NameFromType(Type type)
        {
            type = Nullable.GetUnderlyingType(type) ?? type;
            switch (TypeWords.Json(type))
            {
                case "boolean": return "flag";
                case "number": return "number";
                case "array": return "list";
                case "string": return type.IsEnum ? "choice" : "text";
                default: return "value";
            }
        }

        static string Unique(string name, HashSet<string> taken)
        {
            string free = name;
            for (int number = 2; !taken.Add(free); number++) free = name + number;
            return free;
        }

        // What the type of JSON does not say.
        static string Description(Type type)
        {
            Type inner = Nullable.GetUnderlyingType(type) ?? type;
            if (inner.IsEnum || ScalarFromJson.Example(inner) != null || inner == typeof(char)) return TypeWords.Wanted(inner);
            return ScalarFromJson.Knows(inner) || Coerce.TakesAnything(inner) ? null : TypeWords.Name(type);
        }
    }
}
