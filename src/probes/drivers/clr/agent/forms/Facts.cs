using System;
using System.Collections;
using System.Globalization;
using System.Text;

namespace Substrate.Forms
{
    // Writes JSON of nothing but ASCII: what is written again and again to be compared, and seldom sent.
    sealed class Facts
    {
        const long MaxSafe = 9007199254740991L;
        internal readonly StringBuilder Json = new StringBuilder();

        // Null: there is none.
        internal void Add(string name, object value)
        {
            if (value == null) return;
            Json.Append(",\"").Append(name).Append("\":");
            Value(value);
        }

        internal void Flag(string name, bool value)
        {
            if (value) Add(name, true);
        }

        // Null, bool, numbers, text and lists of them.
        internal void Value(object value)
        {
            var list = value is string ? null : value as IEnumerable;
            if (value == null) Json.Append("null");
            else if (value is bool) Json.Append((bool)value ? "true" : "false");
            else if (list != null) List(list);
            else if (value is double || value is float) Decimal(((IConvertible)value).ToDouble(null), value);
            else if (value is string || value is char || IsHuge(value)) Text(Words.TextOf(value));
            else Json.Append(Words.TextOf(value));
        }

        static bool IsHuge(object value)
        {
            return (value is long && ((long)value > MaxSafe || (long)value < -MaxSafe))
                || (value is ulong && (ulong)value > MaxSafe) || value is IntPtr || value is UIntPtr;
        }

        void Decimal(double value, object written)
        {
            if (double.IsNaN(value) || double.IsInfinity(value)) Text(value.ToString(CultureInfo.InvariantCulture));
            else Json.Append(((IFormattable)written).ToString("R", CultureInfo.InvariantCulture));
        }

        void List(IEnumerable list)
        {
            char separator = '[';
            foreach (object item in list)
            {
                Json.Append(separator);
                Value(item);
                separator = ',';
            }
            Json.Append(separator == '[' ? "[]" : "]");
        }

        void Text(string text)
        {
            Json.Append('"');
            int end = Math.Min(text.Length, Words.MaxText + 1);
            for (int at = 0; at < end; at++)
            {
                char letter = text[at];
                if (letter == '"' || letter == '\\') Json.Append('\\').Append(letter);
                else if (letter >= ' ' && letter < 127) Json.Append(letter);
                else Json.Append("\\u").Append(((int)letter).ToString("x4", CultureInfo.InvariantCulture));
            }
            Json.Append('"');
        }
    }
}
