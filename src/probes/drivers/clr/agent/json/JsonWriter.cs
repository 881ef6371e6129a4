using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Substrate.Budget;

namespace Substrate.Json
{
    // JSON as UTF-8 bytes, in pieces: none is copied when it grows, or when one writer takes over another's.
    sealed class JsonWriter
    {
        const string Hex = "0123456789abcdef";
        const long MaxSafe = 9007199254740991L;
        const int FirstPiece = 1024;
        // Below the size of the runtime's large object heap, which is seldom collected.
        const int LargestPiece = 7 * 1024;
        readonly List<ArraySegment<byte>> done = new List<ArraySegment<byte>>(1);
        int doneLength;
        byte[] piece = new byte[FirstPiece];
        // Pieces of messages that were sent.
        List<byte[]> spare;
        int used;

        internal int Length
        {
            get { return doneLength + used; }
        }

        // All pieces; nothing may be written afterwards.
        internal IList<ArraySegment<byte>> Pieces()
        {
            EndPiece(0);
            return done;
        }

        // The message was sent: its pieces are reused.
        internal void Release()
        {
            List<byte[]> room = spare ?? Spare<List<byte[]>>.Take() ?? new List<byte[]>();
            foreach (ArraySegment<byte> one in done) if (one.Array.Length == LargestPiece) room.Add(one.Array);
            done.Clear();
            if (room.Count > 0) Spare<List<byte[]>>.Give(room);
        }

        public override string ToString()
        {
            var all = new byte[Length];
            int at = 0;
            foreach (ArraySegment<byte> one in Pieces())
            {
                Buffer.BlockCopy(one.Array, 0, all, at, one.Count);
                at += one.Count;
            }
            return Encoding.UTF8.GetString(all);
        }

        internal JsonWriter Raw(string ascii)
        {
            for (int at = 0; at < ascii.Length; at++) Raw(ascii[at]);
            return this;
        }

        internal JsonWriter Raw(char ascii)
        {
            Need(1);
            piece[used++] = (byte)ascii;
            return this;
        }

        // Takes the other's pieces; it must not be used afterwards.
        internal JsonWriter Raw(JsonWriter other)
        {
            if (other.doneLength == 0 && other.used <= piece.Length - used)
            {
                Buffer.BlockCopy(other.piece, 0, piece, used, other.used);
                used += other.used;
                return this;
            }
            EndPiece(FirstPiece);
            foreach (ArraySegment<byte> one in other.Pieces()) done.Add(one);
            doneLength += other.doneLength;
            return this;
        }

        internal JsonWriter Text(string text)
        {
            if (text == null) return Raw("null");
            Need(2);
            piece[used++] = (byte)'"';
            Inside(text);
            Need(1);
            piece[used++] = (byte)'"';
            return this;
        }

        internal JsonWriter Text(char[] characters, int count)
        {
            Raw('"');
            for (int at = 0; at < count; at++) Character(characters[at]);
            return Raw('"');
        }

        internal JsonWriter Flag(bool value)
        {
            return Raw(value ? "true" : "false");
        }

        // Written as a text where a double would not hold it.
        internal JsonWriter Whole(long value)
        {
            if (value > MaxSafe || value < -MaxSafe) return Text(value.ToString(CultureInfo.InvariantCulture));
            Need(20);
            if (value < 0)
            {
                piece[used++] = (byte)'-';
                value = -value;
            }
            int digits = 1;
            for (long rest = value; rest >= 10; rest /= 10) digits++;
            for (int at = used + digits - 1; at >= used; at--, value /= 10) piece[at] = (byte)('0' + value % 10);
            used += digits;
            return this;
        }

        internal JsonWriter Decimal(double value)
        {
            if (double.IsNaN(value)) return Text("NaN");
            if (double.IsInfinity(value)) return Text(value > 0 ? "Infinity" : "-Infinity");
            return Raw(value.ToString("R", CultureInfo.InvariantCulture));
        }

        // null, bool, numbers, text, dictionaries with text keys and lists; anything else as its text.
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
            for (int at = 0; at < text.Length; at++) Character(text[at]);
        }

        void Character(char character)
        {
            Need(6);
            if (character >= ' ' && character < 127)
            {
                if (character == '"' || character == '\\') piece[used++] = (byte)'\\';
                piece[used++] = (byte)character;
            }
            else if (character < 0x80 || char.IsSurrogate(character)) Escape(character);
            else if (character < 0x800)
            {
                piece[used++] = (byte)(0xc0 | character >> 6);
                piece[used++] = (byte)(0x80 | character & 0x3f);
            }
            else
            {
                piece[used++] = (byte)(0xe0 | character >> 12);
                piece[used++] = (byte)(0x80 | character >> 6 & 0x3f);
                piece[used++] = (byte)(0x80 | character & 0x3f);
            }
        }

        // Halves of surrogate pairs are written one by one, so that lone ones survive.
        void Escape(char character)
        {
            piece[used++] = (byte)'\\';
            piece[used++] = (byte)'u';
            for (int shift = 12; shift >= 0; shift -= 4) piece[used++] = (byte)Hex[character >> shift & 15];
        }

        void Need(int more)
        {
            if (used + more > piece.Length) EndPiece(LargestPiece);
        }

        void EndPiece(int next)
        {
            if (used > 0) done.Add(new ArraySegment<byte>(piece, 0, used));
            doneLength += used;
            used = 0;
            if (next == LargestPiece) spare = spare ?? Spare<List<byte[]>>.Take();
            if (next < LargestPiece || spare == null || spare.Count == 0) piece = new byte[next];
            else
            {
                piece = spare[spare.Count - 1];
                spare.RemoveAt(spare.Count - 1);
            }
        }
    }
}
