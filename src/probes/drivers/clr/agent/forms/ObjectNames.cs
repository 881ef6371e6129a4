using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Health;

namespace Substrate.Forms
{
    // Names for objects of the app whose text is only the name of their class. Taken from their fields, as their
    // properties are code of the app.
    static class ObjectNames
    {
        const BindingFlags Own =
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        static readonly string[] Names = { "displayname", "title", "label", "caption", "name", "text" };
        static readonly ConditionalWeakTable<Type, FieldInfo[]> Fields = new ConditionalWeakTable<Type, FieldInfo[]>();

        // Null if there is no such field.
        internal static string Of(object item)
        {
            Type type = item.GetType();
            if (type == typeof(object)) return null;
            try
            {
                foreach (FieldInfo field in Fields.GetValue(type, Find))
                {
                    var text = field.GetValue(item) as string;
                    if (!string.IsNullOrEmpty(text)) return text;
                }
            }
            catch (Exception discarded)
            {
                Discarded.Count("ObjectNames.Of", discarded);
            }
            int mark = type.Name.IndexOf('`');
            return mark < 0 ? type.Name : type.Name.Substring(0, mark);
        }

        static FieldInfo[] Find(Type type)
        {
            var found = new List<FieldInfo>();
            foreach (string name in Names)
                for (Type at = type; at != null; at = at.BaseType)
                    foreach (FieldInfo field in at.GetFields(Own))
                        if (field.FieldType == typeof(string) && Plain(field.Name) == name) found.Add(field);
            return found.ToArray();
        }

        // `_name`, `m_name` and `<Name>k__BackingField` become `name`.
        static string Plain(string field)
        {
            string name = field;
            if (name.StartsWith("<", StringComparison.Ordinal)) name = name.Substring(1, name.IndexOf('>') - 1);
            else if (name.StartsWith("m_", StringComparison.Ordinal)) name = name.Substring(2);
            return name.TrimStart('_').ToLowerInvariant();
        }
    }
}
