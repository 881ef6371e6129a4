using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;

namespace Substrate.Read
{
    // One field of an object, or a static one, and what it is called.
    sealed class Slot
    {
        internal readonly FieldInfo Field;
        // Unique among the fields of the type.
        internal readonly string Name;
        internal readonly long Hash;
        // False: whatever the declared type can hold is not shown, so its absence is not either.
        internal readonly bool ShowsNull;
        // Null: no enum.
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

        // Boxed; null also where it cannot be read.
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
