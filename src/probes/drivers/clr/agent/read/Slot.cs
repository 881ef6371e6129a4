using System;
using System.Reflection;

namespace Substrate.Read
{
    /// <summary>One field of an object, or a static one, and what it is called.</summary>
    sealed class Slot
    {
        internal readonly FieldInfo Field;
        /// <summary>Unique among the fields of the type.</summary>
        internal readonly string Name;
        internal readonly long Hash;
        /// <summary>False: whatever the declared type can hold is not shown, so its absence is not either.</summary>
        internal readonly bool ShowsNull;
        /// <summary>Null: no enum.</summary>
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

        /// <summary>Boxed; null also where it cannot be read.</summary>
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
