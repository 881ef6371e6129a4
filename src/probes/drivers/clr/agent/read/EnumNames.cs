using System;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using Substrate.Meta;

namespace Substrate.Read
{
    // The names of an enum's values, from its metadata. Holds no type, so a report may keep it.
    sealed class EnumNames
    {
        static readonly ConditionalWeakTable<Type, EnumNames> known = new ConditionalWeakTable<Type, EnumNames>();
        readonly long[] values;
        readonly string[] names;
        readonly bool isFlags;
        readonly bool isUnsigned;

        EnumNames(Type type)
        {
            isUnsigned = Enum.GetUnderlyingType(type) == typeof(ulong);
            isFlags = Loaded.HasAttribute(type, type, typeof(FlagsAttribute));
            FieldInfo[] literals = type.GetFields(BindingFlags.Static | BindingFlags.Public);
            values = Array.ConvertAll(literals, field => Bits(field.GetRawConstantValue()));
            names = Array.ConvertAll(literals, field => field.Name);
        }

        // One object for each enum, so that names can be compared by reference.
        internal static EnumNames For(Type type)
        {
            return known.GetValue(type, one => new EnumNames(one));
        }

        // The bits of a boxed enum value, or of its underlying type.
        internal static long Bits(object value)
        {
            var convertible = (IConvertible)value;
            return convertible.GetTypeCode() == TypeCode.UInt64
                ? unchecked((long)convertible.ToUInt64(CultureInfo.InvariantCulture))
                : convertible.ToInt64(CultureInfo.InvariantCulture);
        }

        internal string Of(long value)
        {
            int at = Array.IndexOf(values, value);
            if (at >= 0) return names[at];
            string flags = isFlags && value != 0 ? Flags(value) : null;
            if (flags != null) return flags;
            return isUnsigned
                ? unchecked((ulong)value).ToString(CultureInfo.InvariantCulture)
                : value.ToString(CultureInfo.InvariantCulture);
        }

        // The format of Enum.ToString: the largest is subtracted first, the smallest is written first. Null if there is
        // no such sum.
        string Flags(long value)
        {
            ulong rest = unchecked((ulong)value);
            string text = null;
            while (rest != 0)
            {
                int best = -1;
                for (int at = 0; at < values.Length; at++)
                {
                    ulong flag = unchecked((ulong)values[at]);
                    bool fits = flag != 0 && (rest & flag) == flag;
                    if (fits && (best < 0 || flag > unchecked((ulong)values[best]))) best = at;
                }
                if (best < 0) return null;
                rest &= ~unchecked((ulong)values[best]);
                text = text == null ? names[best] : names[best] + ", " + text;
            }
            return text;
        }
    }
}
