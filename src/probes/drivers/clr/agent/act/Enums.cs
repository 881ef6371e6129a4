using System;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;
using Substrate.Meta;

namespace Substrate.Act
{
    // Constants of enums, read from the metadata: nothing of the app runs.
    static class Enums
    {
        internal static List<string> Names(Type type)
        {
            var names = new List<string>();
            foreach (FieldInfo field in Constants(type)) names.Add(field.Name);
            return names;
        }

        internal static Plan Plan(object json, Type type, string where)
        {
            object value = json is string ? ByNames((string)json, type) : json is long ? ByNumber((long)json, type)
                : null;
            if (value != null) return Act.Plan.Ready(value, json is string ? 4 : 9);
            throw new BadArgument(where + " is " + TypeWords.Given(json) + "; expected " + TypeWords.Wanted(type));
        }

        static FieldInfo[] Constants(Type type)
        {
            return type.GetFields(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly);
        }

        // Of flags several may be named: `Read, Write`.
        static object ByNames(string text, Type type)
        {
            if (text.IndexOf(',') < 0) return ByName(text.Trim(), type);
            if (!Loaded.HasAttribute(type, type, typeof(FlagsAttribute))) return null;
            long sum = 0;
            foreach (string name in text.Split(','))
            {
                object flag = ByName(name.Trim(), type);
                if (flag == null) return null;
                sum |= Raw(flag);
            }
            return Enum.ToObject(type, sum);
        }

        static object ByName(string name, Type type)
        {
            FieldInfo found = null;
            foreach (FieldInfo field in Constants(type))
            {
                if (field.Name == name) return Enum.ToObject(type, field.GetRawConstantValue());
                if (found == null && string.Equals(field.Name, name, StringComparison.OrdinalIgnoreCase)) found = field;
            }
            return found == null ? null : Enum.ToObject(type, found.GetRawConstantValue());
        }

        static object ByNumber(long number, Type type)
        {
            foreach (FieldInfo field in Constants(type))
                if (Raw(field.GetRawConstantValue()) == number) return Enum.ToObject(type, field.GetRawConstantValue());
            return null;
        }

        static long Raw(object value)
        {
            if (value is Enum)
                value = Convert.ChangeType(value, Enum.GetUnderlyingType(value.GetType()),
                    CultureInfo.InvariantCulture);
            return value is ulong ? unchecked((long)(ulong)value)
                : Convert.ToInt64(value, CultureInfo.InvariantCulture);
        }
    }
}
