using System;
using System.Collections;
using System.Globalization;

namespace Substrate.Json
{
    /// <summary>JSON as UTF-8 bytes, into a buffer that grows.</summary>
    sealed class JsonWriter
    {
        const string Hex = "0123456789abcdef";
        const long MaxSafe = 9007199254740991L;
        internal byte[] Buffer = new byte[1024];
        internal int Length;

        internal JsonWriter Raw(string ascii)
        {
            Need(ascii.Length);
            for (int at = 0; at < ascii.Length; at++) Buffer[Length++] = (byte)ascii[at];
            return this;
        }

        internal JsonWriter Raw(char ascii)
        {
            Need(1);
            Buffer[Length++] = (byte)ascii;
            return this;
        }

        internal JsonWriter Raw(JsonWriter other)
        {
            Need(other.Length);
            System.Buffer.BlockCopy(other.Buffer, 0, Buffer, Length, other.Length);
            Length += other.Length;
            return this;
        }

        internal JsonWriter Text(string text)
        {
            if (text == null) return Raw("null");
            Need(2);
            Buffer[Length++] = (byte)'"';
            Inside(text);
            Need(1);
            Buffer[Length++] = (byte)'"';
            return this;
        }

        internal JsonWriter Text(char[] letters, int count)
        {
            Raw('"');
            for (int at = 0; at < count; at++) Letter(letters[at]);
            return Raw('"');
        }

        internal JsonWriter Flag(bool value)
        {
            return Raw(value ? "true" : "false");
        }

        /// <summary>As a text where a double would not hold it.</summary>
        internal JsonWriter Whole(long value)
        {
            if (value > MaxSafe || value < -MaxSafe) return Text(value.ToString(CultureInfo.InvariantCulture));
            Need(20);
            if (value < 0)
            {
                Buffer[Length++] = (byte)'-';
                value = -value;
            }
            int digits = 1;
            for (long rest = value; rest >= 10; rest /= 10) digits++;
            for (int at = Length + digits - 1; at >= Length; at--, value /= 10) Buffer[at] = (byte)('0' + value % 10);
            Length += digits;
            return this;
        }

        internal JsonWriter Decimal(double value)
        {
            if (double.IsNaN(value)) return Text("NaN");
            if (double.IsInfinity(value)) return Text(value > 0 ? "Infinity" : "-Infinity");
            return Raw(value.ToString("R", CultureInfo.InvariantCulture));
        }

        /// <summary>
        /// null, bool, numbers, text, dictionaries with text keys and lists; anything else as its text.
        /// </summary>
        internal JsonWriter Value(object value)
        {
            if (value == null) return Raw("null");
            if (value is string) return Text((string)value);
            if (value is bool) return Flag((bool)value);
            if (value is double) return Decimal((double)value);
            if (value is float) return Raw(SingleText((float)value));
            if (value is decimal) return Raw(((decimal)value).ToString(CultureInfo.InvariantCulture));
            if (value is ulong && (ulong)value > MaxSafe)
                return Text(((ulong)value).ToString(CultureInfo.InvariantCulture));
            if (value is char) return Text(value.ToString());
            if (value.GetType().IsPrimitive && value is IConvertible)
                return Whole(((IConvertible)value).ToInt64(CultureInfo.InvariantCulture));
            var map = value as IDictionary;
            if (map != null) return Map(map);
            var list = value as IEnumerable;
            return list == null ? Text(value.ToString()) : List(list);
        }

        static string SingleText(float value)
        {
            if (float.IsNaN(value)) return "\"NaN\"";
            if (float.IsInfinity(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
            return value.ToString("R", CultureInfo.InvariantCulture);
        }

        JsonWriter Map(IDictionary map)
        {
            Raw('{');
            bool isFirst = true;
            foreach (DictionaryEntry entry in map)
            {
                if (!isFirst) Raw(',');
                isFirst = false;
                Text((string)entry.Key).Raw(':').Value(entry.Value);
            }
            return Raw('}');
        }

        JsonWriter List(IEnumerable list)
        {
            Raw('[');
            bool isFirst = true;
            foreach (object item in list)
            {
                if (!isFirst) Raw(',');
                isFirst = false;
                Value(item);
            }
            return Raw(']');
        }

        void Inside(string text)
        {
            for (int at = 0; at < text.Length; at++) Letter(text[at]);
        }

        void Letter(char letter)
        {
            Need(6);
            if (letter >= ' ' && letter < 127)
            {
                if (letter == '"' || letter == '\\') Buffer[Length++] = (byte)'\\';
                Buffer[Length++] = (byte)letter;
            }
            else if (letter < 0x80 || char.IsSurrogate(letter)) Escape(letter);
            else if (letter < 0x800)
            {
                Buffer[Length++] = (byte)(0xc0 | letter >> 6);
                Buffer[Length++] = (byte)(0x80 | letter & 0x3f);
            }
            else
            {
                Buffer[Length++] = (byte)(0xe0 | letter >> 12);
                Buffer[Length++] = (byte)(0x80 | letter >> 6 & 0x3f);
                Buffer[Length++] = (byte)(0x80 | letter & 0x3f);
            }
        }

        /// <summary>Halves of surrogate pairs are written one by one, so that lone ones survive.</summary>
        void Escape(char letter)
        {
            Buffer[Length++] = (byte)'\\';
            Buffer[Length++] = (byte)'u';
            for (int shift = 12; shift >= 0; shift -= 4) Buffer[Length++] = (byte)Hex[letter >> shift & 15];
        }

        void Need(int more)
        {
            if (Length + more > Buffer.Length) Array.Resize(ref Buffer, Math.Max(Buffer.Length * 2, Length + more));
        }
    }
}
