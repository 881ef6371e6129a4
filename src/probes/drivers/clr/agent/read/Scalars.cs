using System;
using System.Globalization;
using System.Reflection;
using System.Text;

namespace Substrate.Read
{
    // Objects that are one value. Only types of the framework itself (and enums): no code of the app is called.
    static class Scalars
    {
        // The function that passes on a boxed value or an object of this type; null if it is more than one value.
        internal static Func<object, Sink, bool> Of(Type type)
        {
            if (type.IsEnum) return Named(type);
            switch (Type.GetTypeCode(type))
            {
                case TypeCode.Boolean: return (value, sink) => Pushes.Of((bool)value, sink);
                case TypeCode.Char: return (value, sink) => Pushes.Of((char)value, sink);
                case TypeCode.SByte:
                case TypeCode.Byte:
                case TypeCode.Int16:
                case TypeCode.UInt16:
                case TypeCode.Int32:
                case TypeCode.UInt32:
                case TypeCode.Int64: return (value, sink) => Pushes.Of(EnumNames.Bits(value), sink);
                case TypeCode.UInt64: return (value, sink) => Pushes.Of((ulong)value, sink);
                case TypeCode.Single: return (value, sink) => Pushes.Of((float)value, sink);
                case TypeCode.Double: return (value, sink) => Pushes.Of((double)value, sink);
                case TypeCode.Decimal: return (value, sink) => Pushes.Of((decimal)value, sink);
                case TypeCode.DateTime: return (value, sink) => Pushes.Of((DateTime)value, sink);
                case TypeCode.String: return (value, sink) => Pushes.Text((string)value, sink);
                default: return OfOther(type);
            }
        }

        static Func<object, Sink, bool> Named(Type type)
        {
            EnumNames names = EnumNames.For(type);
            return (value, sink) => Pushes.Named(EnumNames.Bits(value), names, sink);
        }

        static Func<object, Sink, bool> OfOther(Type type)
        {
            if (type == typeof(Guid)) return (value, sink) => Pushes.Of((Guid)value, sink);
            if (type == typeof(TimeSpan)) return (value, sink) => Pushes.Of((TimeSpan)value, sink);
            if (type == typeof(DateTimeOffset)) return (value, sink) => Pushes.Of((DateTimeOffset)value, sink);
            if (type == typeof(byte[]))
                return (value, sink) => Pushes.Bytes((byte[])value, sink);
            if (type == typeof(char[])) return (value, sink) => Pushes.Text(Characters((char[])value), sink);
            if (type == typeof(Version)) return (value, sink) => Pushes.Text(((Version)value).ToString(), sink);
            if (type == typeof(StringBuilder)) return Builder(type);
            if (typeof(Type).IsAssignableFrom(type)) return (value, sink) => Pushes.Text(NameOf((Type)value), sink);
            if (typeof(Exception).IsAssignableFrom(type)) return (value, sink) => Pushes.Text(Failure(value), sink);
            if (type == typeof(CultureInfo)) return (value, sink) => Pushes.Text(((CultureInfo)value).Name, sink);
            if (typeof(TimeZoneInfo).IsAssignableFrom(type))
                return (value, sink) => Pushes.Text(((TimeZoneInfo)value).Id, sink);
            switch (type.FullName)
            {
                case "System.DateOnly":
                    FieldInfo day = Emitter.OnlyField(type, typeof(int));
                    return (value, sink) => Pushes.Day((int)day.GetValue(value), sink);
                case "System.TimeOnly":
                    FieldInfo ticks = Emitter.OnlyField(type, typeof(long));
                    return (value, sink) => Pushes.Time((long)ticks.GetValue(value), sink);
                case "System.Half":
                    return (value, sink) => Pushes.Of(double.Parse(Plain(value), CultureInfo.InvariantCulture), sink);
                case "System.Int128":
                case "System.UInt128":
                case "System.Numerics.BigInteger":
                    return (value, sink) => Pushes.Text(Plain(value), sink);
                case "System.Uri": return Text(Accessor.Field(type, "_string|m_String"));
                case "System.Text.RegularExpressions.Regex": return Text(Accessor.Field(type, "pattern"));
                case "System.Text.Rune": return (value, sink) => Pushes.Text(value.ToString(), sink);
                case "System.Net.IPAddress":
                case "System.Net.IPEndPoint":
                case "System.Net.DnsEndPoint":
                case "System.Index":
                case "System.Range":
                    return (value, sink) => Pushes.Text(value.ToString(), sink);
                case "System.IO.FileInfo":
                case "System.IO.DirectoryInfo": return Text(Accessor.Field(type, "OriginalPath"));
                case "System.Collections.BitArray": return Bits(type);
                case "System.Drawing.Color": return Color(type);
                default: return null;
            }
        }

        static Func<object, Sink, bool> Text(Accessor text)
        {
            if (text == null) return null;
            return (value, sink) => Pushes.Text(text.Get(value) as string, sink);
        }

        // Number types of the framework that are newer than this compiler.
        static string Plain(object number)
        {
            return ((IFormattable)number).ToString(null, CultureInfo.InvariantCulture);
        }

        static string NameOf(Type type)
        {
            return type.FullName ?? type.Name;
        }

        static string Characters(char[] characters)
        {
            return Texts.Cut(new string(characters, 0, Texts.Shown(characters.Length)), characters.Length);
        }

        // Message may be overridden by the app.
        internal static string Failure(object exception)
        {
            FieldInfo field = Accessor.Find(typeof(Exception), "_message|message");
            var message = field == null ? null : field.GetValue(exception) as string;
            return exception.GetType().FullName + (message == null ? "" : ": " + message);
        }

        // Read from its chunks, the last of which comes first.
        static Func<object, Sink, bool> Builder(Type type)
        {
            Accessor chars = Accessor.Field(type, "m_ChunkChars");
            Accessor length = Accessor.Field(type, "m_ChunkLength");
            Accessor offset = Accessor.Field(type, "m_ChunkOffset");
            Accessor previous = Accessor.Field(type, "m_ChunkPrevious");
            if (chars == null || length == null || offset == null || previous == null) return null;
            return (value, sink) =>
            {
                int total = Math.Max(0, offset.Whole(value) + length.Whole(value));
                var text = new char[Texts.Shown(total)];
                object chunk = value;
                for (int steps = 0; chunk != null && steps < Container.MaxSteps; steps++)
                {
                    var characters = chars.Get(chunk) as char[];
                    int start = Math.Max(0, offset.Whole(chunk));
                    int count = characters == null ? 0 : Math.Min(characters.Length, length.Whole(chunk));
                    for (int at = 0; at < count && start + at < text.Length; at++) text[start + at] = characters[at];
                    chunk = previous.Get(chunk);
                }
                return Pushes.Text(Texts.Cut(new string(text), total), sink);
            };
        }

        // `{1, 5, 9}`: the set bits, and the total.
        static Func<object, Sink, bool> Bits(Type type)
        {
            Accessor words = Accessor.Field(type, "m_array|_array");
            Accessor length = Accessor.Field(type, "m_length|_bitLength");
            if (words == null || length == null) return null;
            return (value, sink) =>
            {
                var held = words.Get(value) as Array;
                int count = held == null ? 0 : Math.Min(length.Whole(value), Buffer.ByteLength(held) * 8);
                var text = new StringBuilder("{");
                for (int at = 0; at < count; at++)
                {
                    if ((Buffer.GetByte(held, at >> 3) >> (at & 7) & 1) == 0) continue;
                    if (text.Length > 1) text.Append(", ");
                    if (text.Length > Rules.MaxText - 20)
                    {
                        text.Append('…');
                        break;
                    }
                    text.Append(at.ToString(CultureInfo.InvariantCulture));
                }
                return Pushes.Text(text.Append('}').ToString(), sink);
            };
        }

        // Its name, if it has one.
        static Func<object, Sink, bool> Color(Type type)
        {
            FieldInfo argb = Accessor.Find(type, "value");
            FieldInfo name = Accessor.Find(type, "name");
            FieldInfo known = Accessor.Find(type, "knownColor");
            Type kinds = type.Assembly.GetType("System.Drawing.KnownColor", false);
            if (argb == null || name == null || known == null || kinds == null) return null;
            EnumNames names = EnumNames.For(kinds);
            return (value, sink) =>
            {
                long number = EnumNames.Bits(known.GetValue(value));
                var called = name.GetValue(value) as string;
                if (called == null) called = number != 0 ? names.Of(number) : Hex((long)argb.GetValue(value));
                return Pushes.Text(called, sink);
            };
        }

        static string Hex(long argb)
        {
            string text = "#" + (argb & 0xFFFFFF).ToString("x6", CultureInfo.InvariantCulture);
            long alpha = argb >> 24 & 0xFF;
            return alpha == 0xFF ? text : text + alpha.ToString("x2", CultureInfo.InvariantCulture);
        }
    }
}
