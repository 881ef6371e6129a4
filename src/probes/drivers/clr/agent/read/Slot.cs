using System;
using System.Reflection;

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
            catch (Exception)
            {
                return null;
            }
        }

        internal bool Push(object target, Sink sink)
        {
            object value = Get(target);
            return value == null && !ShowsNull || sink.Value(value);
        }
    }
}
