using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;

namespace Substrate.Read
{
    // One instance or static field, and its shown name.
    sealed class Slot
    {
        internal readonly FieldInfo Field;
        // The name, unique among the fields of the type.
        internal readonly string Name;
        internal readonly long Hash;
        // False if no value of the declared type is shown: null is not shown either.
        internal readonly bool ShowsNull;
        // Null if it is no enum.
        internal readonly EnumNames Names;

        internal Slot(FieldInfo field, string name, bool showsNull)
        {
            Field = field;
            Name = name;
            Hash = Read.Hash.Of(name);
            ShowsNull = showsNull;
            Type bare = Nullable.GetUnderlyingType(field.FieldType) ?? field.FieldType;
            if (bare.IsEnum) Names = EnumNames.For(bare);
        }

        // The value, boxed if needed; null also where it cannot be read.
        internal object Get(object target)
        {
            try
            {
                return Field.GetValue(Field.IsStatic ? null : target);
            }
            catch (Exception discarded)
            {
                Discarded.Count("Slot.Get", discarded);
                return null;
            }
        }

        internal bool Push(object target, Sink sink)
        {
            object value = Get(target);
            return value == null && !ShowsNull || sink.Value(value);
        }
    }

    // Fields that are shown together, each with a name of its own.
    sealed class SlotList
    {
        const int Max = 2000;
        readonly List<Slot> slots = new List<Slot>();
        readonly HashSet<string> names = new HashSet<string>();

        // Keeps a name from being used for a field.
        internal void Reserve(string name)
        {
            names.Add(name);
        }

        internal void Add(FieldInfo field, bool showsNull)
        {
            string plain = slots.Count >= Max ? null : SlotNames.Of(field);
            if (plain == null) return;
            string name = plain;
            // A subclass declares a field of the same name again.
            if (!names.Add(name)) name = plain + "_" + SlotNames.OfType(field.DeclaringType);
            for (int count = 2; name != plain && !names.Add(name); count++) name = plain + "_" + count;
            slots.Add(new Slot(field, name, showsNull));
        }

        // The message of an exception.
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
