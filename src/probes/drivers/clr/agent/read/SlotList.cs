using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Read
{
    // Fields that are to be shown together, each with a name of its own.
    sealed class SlotList
    {
        const int Max = 2000;
        readonly List<Slot> slots = new List<Slot>();
        readonly HashSet<string> names = new HashSet<string>();

        // No field may be called like this.
        internal void Reserve(string name)
        {
            names.Add(name);
        }

        internal void Add(FieldInfo field, bool showsNull)
        {
            string plain = slots.Count >= Max ? null : SlotNames.Of(field);
            if (plain == null) return;
            string name = plain;
            // A field that a subclass declares again.
            if (!names.Add(name)) name = plain + "_" + Noise.SimpleName(field.DeclaringType);
            for (int count = 2; name != plain && !names.Add(name); count++) name = plain + "_" + count;
            slots.Add(new Slot(field, name, showsNull));
        }

        // Of an exception.
        internal void AddMessage()
        {
            FieldInfo message = Accessor.Find(typeof(Exception), "_message|message");
            if (message != null && names.Add("message")) slots.Add(new Slot(message, "message", true));
        }

        internal Slot[] ToArray()
        {
            return slots.ToArray();
        }
    }
}
