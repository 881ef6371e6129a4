using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Substrate.Budget;

namespace Substrate.Json
{
    // JSON as UTF-8 bytes. In pieces: none is copied when there is more, or when one writer takes over another's.
    sealed class JsonWriter
    {
        const string Hex = "0123456789abcdef";
        const long MaxSafe = 9007199254740991L;
        const int FirstPiece = 1024;
        // Not so large that a runtime would put it among its large objects, which are seldom collected.
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

        // All of it; nothing is written afterwards.
        internal IList<ArraySegment<byte>> Pieces()
        {
            EndPiece(0);
            return done;
        }

        // It was sent: its room is for others.
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

        // Takes what the other has, which writes nothing afterwards.
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

        // As a text where a double would not hold it.
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
            for (int at = 0; at < text.Length; at++) Letter(text[at]);
        }

        void Letter(char letter)
        {
            Need(6);
            if (letter >= ' ' && letter < 127)
            {
                if (letter == '"' || letter == '\\') piece[used++] = (byte)'\\';
                piece[used++] = (byte)letter;
            }
            else if (letter < 0x80 || char.IsSurrogate(letter)) Escape(letter);
            else if (letter < 0x800)
            {
                piece[used++] = (byte)(0xc0 | letter >> 6);
                piece[used++] = (byte)(0x80 | letter & 0x3f);
            }
            else
            {
                piece[used++] = (byte)(0xe0 | letter >> 12);
                piece[used++] = (byte)(0x80 | letter >> 6 & 0x3f);
                piece[used++] = (byte)(0x80 | letter & 0x3f);
            }
        }

        // Halves of surrogate pairs are written one by one, so that lone ones survive.
        void Escape(char letter)
        {
            piece[used++] = (byte)'\\';
            piece[used++] = (byte)'u';
            for (int shift = 12; shift >= 0; shift -= 4) piece[used++] = (byte)Hex[letter >> shift & 15];
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
