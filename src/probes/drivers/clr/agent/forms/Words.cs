using System;
using System.Globalization;
using System.Text;

namespace Substrate.Forms
{
    // Texts and values as people see them.
    static class Words
    {
        internal const int MaxText = 10000;

        // `&Save` becomes `Save`: the ampersand marks the underlined character.
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

        internal static string Shorten(string text, int limit) =>
            text.Length > limit ? text.Substring(0, limit) + "…" : text;

        // The shown value of a cell: a number or boolean as such, a date as ISO 8601; null if only its text is
        // meaningful.
        internal static object Scalar(object value)
        {
            if (value is string) return Shorten((string)value, MaxText);
            if (value is decimal) return Number((decimal)value);
            if (value is DateTime) return Date((DateTime)value);
            return value is bool || (value != null && value.GetType().IsPrimitive) ? value : null;
        }

        static object Number(decimal value)
        {
            bool isWhole = decimal.Truncate(value) == value && Math.Abs(value) < long.MaxValue;
            return isWhole ? (object)(long)value : (double)value;
        }

        internal static string Date(DateTime value)
        {
            string format = value.TimeOfDay == TimeSpan.Zero ? "yyyy-MM-dd" : "yyyy-MM-ddTHH:mm:ss";
            return value.ToString(format, CultureInfo.InvariantCulture);
        }

        internal static string TextOf(object value)
        {
            if (value is bool) return (bool)value ? "true" : "false";
            return value == null ? "" : Convert.ToString(value, CultureInfo.InvariantCulture);
        }
    }
}
