using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Forms
{
    // Finds which events of a control have handlers. Read from the fields of its handler list, which have other names
    // in each version of the framework, and are recognised by their types.
    static class Listeners
    {
        const BindingFlags Own =
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        const int MaxHandlers = 200;
        static readonly Dictionary<string, object[]> Keys = new Dictionary<string, object[]>();
        static FieldInfo head;
        static FieldInfo next;
        static FieldInfo key;
        static FieldInfo handler;

        // `type`: a class of Windows Forms that declares the event, `name`: of the event, as in `KeyDown`.
        internal static bool HasHandler(object control, string type, string name)
        {
            object list = Property.Of(control, "Control.Events");
            if (list == null || !Resolve(list.GetType())) return false;
            object[] keys = KeysOf(type, name);
            object entry = head.GetValue(list);
            for (int count = 0; entry != null && count < MaxHandlers; count++, entry = next.GetValue(entry))
                if (IsAmong(keys, key.GetValue(entry)) && handler.GetValue(entry) != null) return true;
            return false;
        }

        internal static bool HasKeyHandler(object control, string type) =>
            HasHandler(control, type, "KeyDown") || HasHandler(control, type, "KeyPress") || HasHandler(control, type, "KeyUp");

        // Equals of the app's keys is not called.
        static bool IsAmong(object[] keys, object wanted)
        {
            foreach (object one in keys)
                if (ReferenceEquals(one, wanted)) return true;
            return false;
        }

        // The key objects of the event in a class: in a field such as KeyDownEvent, s_keyDownEvent, EventKeyDown.
        static object[] KeysOf(string type, string name)
        {
            object[] known;
            string asked = type + "." + name;
            if (Keys.TryGetValue(asked, out known)) return known;
            var found = new List<object>();
            Type declaring = Library.Class(type);
            const BindingFlags Fixed = BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public;
            if (declaring != null)
                foreach (FieldInfo field in declaring.GetFields(Fixed))
                    if (field.FieldType == typeof(object) && IsCalled(field.Name, name))
                        found.Add(field.GetValue(null));
            return Keys[asked] = found.ToArray();
        }

        static bool IsCalled(string field, string name)
        {
            string lower = field.ToLowerInvariant();
            string wanted = name.ToLowerInvariant();
            return lower == wanted + "event" || lower == "s_" + wanted + "event" || lower == "event" + wanted
                || lower == "event_" + wanted || lower == "s_event" + wanted;
        }

        static bool Resolve(Type list)
        {
            if (handler != null) return true;
            foreach (FieldInfo field in list.GetFields(Own))
                if (field.FieldType.DeclaringType == list) head = field;
            if (head == null) return false;
            foreach (FieldInfo field in head.FieldType.GetFields(Own))
            {
                if (field.FieldType == head.FieldType) next = field;
                else if (field.FieldType == typeof(object)) key = field;
                else if (field.FieldType == typeof(Delegate)) handler = field;
            }
            return next != null && key != null && handler != null;
        }
    }
}
