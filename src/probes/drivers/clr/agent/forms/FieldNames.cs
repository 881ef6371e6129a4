using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Health;

namespace Substrate.Forms
{
    // The field names that windows and panels of the app use for their controls, and their tool tips.
    sealed class FieldNames
    {
        const int MaxFields = 1000;
        const int MaxTips = 20;
        // Fields of types of the app are not kept when the types are unloaded.
        static readonly ConditionalWeakTable<Type, FieldInfo[]> Known = new ConditionalWeakTable<Type, FieldInfo[]>();
        readonly Dictionary<object, string> names = new Dictionary<object, string>(new ByReference());
        readonly List<object> tips = new List<object>();

        // Adds the names from the fields of this holder.
        internal void Collect(object holder)
        {
            for (Type type = holder.GetType(); type != null && !Library.Declares(type); type = type.BaseType)
                foreach (FieldInfo field in Known.GetValue(type, FieldsOf)) Add(field.Name, field.GetValue(holder));
        }

        internal string Of(object control)
        {
            string name;
            return control != null && names.TryGetValue(control, out name) ? name : null;
        }

        // Null if no tool tip of the window is for it.
        internal string TipFor(object control)
        {
            foreach (object tip in tips)
            {
                var text = Method.Ask(tip, "ToolTip.GetToolTip", control) as string;
                if (!string.IsNullOrEmpty(text)) return text;
            }
            return null;
        }

        void Add(string name, object value)
        {
            if (value == null) return;
            if (Library.IsOf("ToolTip", value))
            {
                if (tips.Count < MaxTips) tips.Add(value);
            }
            else if (!names.ContainsKey(value)) names.Add(value, name);
        }

        static FieldInfo[] FieldsOf(Type type)
        {
            var found = new List<FieldInfo>();
            try
            {
                const BindingFlags Own =
                    BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
                foreach (FieldInfo field in type.GetFields(Own))
                    if (IsOfControl(field.FieldType) && found.Count < MaxFields) found.Add(field);
            }
            catch (Exception discarded)
            {
                // A type in its fields is missing.
                Discarded.Count("FieldNames.FieldsOf", discarded);
            }
            return found.ToArray();
        }

        static bool IsOfControl(Type type)
        {
            foreach (string name in new[] { "Control", "ToolStripItem", "MenuItem", "ToolTip" })
            {
                Type known = Library.Class(name);
                if (known != null && known.IsAssignableFrom(type)) return true;
            }
            return false;
        }
    }
}
