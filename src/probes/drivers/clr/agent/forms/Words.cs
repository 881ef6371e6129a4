using System;
using System.Globalization;
using System.Text;

namespace Substrate.Forms
{
    /// <summary>Texts and values as people see them.</summary>
    static class Words
    {
        internal const int MaxText = 10000;
        const int MaxDigits = 15;

        /// <summary>`&amp;Save` is `Save`: the letter after it is underlined.</summary>
        internal static string WithoutMnemonic(string text)
        {
            if (string.IsNullOrEmpty(text) || text.IndexOf('&') < 0) return text;
            var result = new StringBuilder();
            for (int at = 0; at < text.Length; at++)
            {
                if (text[at] == '&') at++;
                if (at < text.Length) result.Append(text[at]);
            }
            return result.ToString();
        }

        /// <summary>`Cut (Ctrl+X)` is `Cut`.</summary>
        internal static string WithoutKeys(string tip)
        {
            int open = tip == null ? -1 : tip.LastIndexOf('(');
            return open > 0 && tip.Trim().EndsWith(")", StringComparison.Ordinal) ? tip.Substring(0, open).Trim() : tip;
        }

        /// <summary>
        /// What a cell shows: a number or truth value as such, a date as ISO 8601; null: only its text tells.
        /// </summary>
        internal static object Scalar(object value)
        {
            if (value is string) return Names.Shorten((string)value, MaxText);
            if (value is decimal) return Number((decimal)value);
            if (value is DateTime) return Date((DateTime)value);
            return value is bool || (value != null && value.GetType().IsPrimitive) ? value : null;
        }

        internal static object Number(decimal value)
        {
            bool isWhole = decimal.Truncate(value) == value && Math.Abs(value) < long.MaxValue;
            return isWhole ? (object)(long)value : (double)value;
        }

        internal static string Date(DateTime value)
        {
            string format = value.TimeOfDay == TimeSpan.Zero ? "yyyy-MM-dd" : "yyyy-MM-ddTHH:mm:ss";
            return value.ToString(format, CultureInfo.InvariantCulture);
        }

        /// <summary>
        /// A number where the text is nothing but one; `007` and long runs of digits are names of things, not numbers.
        /// </summary>
        internal static object ToValue(string text)
        {
            int digits = 0;
            bool hasPoint = false;
            for (int at = 0; at < text.Length; at++)
            {
                char letter = text[at];
                if (letter >= '0' && letter <= '9') digits++;
                else if (letter == '.' && !hasPoint && digits > 0 && at + 1 < text.Length) hasPoint = true;
                else if (letter != '-' || at > 0) return text;
            }
            int first = text.StartsWith("-", StringComparison.Ordinal) ? 1 : 0;
            if (digits == 0 || digits > MaxDigits) return text;
            if (text[first] == '0' && text.Length > first + 1 && text[first + 1] != '.') return text;
            if (hasPoint) return double.Parse(text, CultureInfo.InvariantCulture);
            return long.Parse(text, CultureInfo.InvariantCulture);
        }
    }
}
