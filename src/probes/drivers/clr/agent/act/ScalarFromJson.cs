using System;
using System.Collections.Generic;
using System.Globalization;
using System.Reflection;

namespace Substrate.Act
{
    // Values of one piece, of the framework: numbers, texts, dates and what else is written as text.
    static class ScalarFromJson
    {
        // In the order in which overloads prefer them for a whole number.
        static readonly Type[] Whole =
        {
            typeof(int), typeof(long), typeof(short), typeof(byte), typeof(uint), typeof(ulong), typeof(ushort),
            typeof(sbyte),
        };
        static readonly decimal[] Lowest =
        {
            int.MinValue, long.MinValue, short.MinValue, byte.MinValue, uint.MinValue, ulong.MinValue, ushort.MinValue,
            sbyte.MinValue,
        };
        static readonly decimal[] Highest =
        {
            int.MaxValue, long.MaxValue, short.MaxValue, byte.MaxValue, uint.MaxValue, ulong.MaxValue, ushort.MaxValue,
            sbyte.MaxValue,
        };
        // By name: not all of them are in the assemblies that every runtime has.
        static readonly Dictionary<string, string> Written = new Dictionary<string, string>
        {
            { "System.DateTime", "a date and time such as 2024-05-31T18:30:00" },
            { "System.DateTimeOffset", "a moment such as 2024-05-31T18:30:00+02:00" },
            { "System.DateOnly", "a date such as 2024-05-31" },
            { "System.TimeOnly", "a time such as 18:30:00" },
            { "System.TimeSpan", "a duration such as 01:30:00" },
            { "System.Guid", "a GUID such as 123e4567-e89b-12d3-a456-426614174000" },
            { "System.Uri", "an address such as https://example.com/" },
            { "System.Version", "a version such as 1.2.3" },
            { "System.Net.IPAddress", "an IP address such as 192.0.2.1" },
            { "System.Globalization.CultureInfo", "a language such as en-GB" },
        };
        const string BigInteger = "System.Numerics.BigInteger";

        internal static bool Knows(Type type)
        {
            return type == typeof(string) || type == typeof(bool) || type == typeof(char) || IsNumber(type)
                || Example(type) != null;
        }

        internal static bool IsNumber(Type type)
        {
            return !type.IsEnum && Array.IndexOf(Whole, type) >= 0 || type == typeof(double) || type == typeof(float)
                || type == typeof(decimal) || type.FullName == BigInteger;
        }

        // `a date such as 2024-05-31`; null: the type needs no example.
        internal static string Example(Type type)
        {
            string example;
            return type.FullName != null && Written.TryGetValue(type.FullName, out example) ? example : null;
        }

        // `-128 to 127`; null: no whole number, or one without limits.
        internal static string Range(Type type)
        {
            int rank = Array.IndexOf(Whole, type);
            if (rank < 0) return null;
            return Lowest[rank].ToString(CultureInfo.InvariantCulture) + " to "
                + Highest[rank].ToString(CultureInfo.InvariantCulture);
        }

        internal static Plan Plan(object json, Type type, string where)
        {
            object value = null;
            int cost = 0;
            if (IsNumber(type))
            {
                value = Number(json, type);
                cost = 2 * NumberCost(json, type);
            }
            else if (json is bool && type == typeof(bool))
            {
                value = json;
            }
            else if (json is string)
            {
                value = FromText((string)json, type);
                cost = type == typeof(string) ? 0 : type == typeof(char) ? 5 : 6;
            }
            if (value != null) return Act.Plan.Ready(value, cost);
            throw new BadArgument(where + " is " + TypeWords.Given(json) + "; expected " + TypeWords.Wanted(type));
        }

        // A whole number prefers int, long and so on, then double, float, decimal; a fraction double.
        static int NumberCost(object json, Type type)
        {
            if (json is string) return 20;
            bool isWhole = json is long;
            int rank = Array.IndexOf(Whole, type);
            if (rank >= 0) return isWhole ? rank : rank + 16;
            int floor = isWhole ? Whole.Length : 0;
            if (type == typeof(double)) return floor;
            if (type == typeof(float)) return floor + 1;
            return type == typeof(decimal) ? floor + 2 : floor + (isWhole ? 3 : 16);
        }

        // Null: it is no number, or none of this range. Text is taken where a JSON number would not be exact.
        static object Number(object json, Type type)
        {
            if (type == typeof(double) || type == typeof(float)) return Floating(json, type);
            decimal exact;
            if (type.FullName == BigInteger)
                return json is long || json is string ? Parsed(json.ToString(), type) : null;
            if (json is long) exact = (long)json;
            else if (json is decimal) exact = (decimal)json;
            else if (json is double && Math.Abs((double)json) < 7.9e28) exact = (decimal)(double)json;
            else if (!(json is string) || !TakesText(type) || !TryDecimal((string)json, out exact)) return null;
            if (type == typeof(decimal)) return exact;
            int rank = Array.IndexOf(Whole, type);
            bool fits = exact == decimal.Truncate(exact) && exact >= Lowest[rank] && exact <= Highest[rank];
            return fits ? Convert.ChangeType(exact, type, CultureInfo.InvariantCulture) : null;
        }

        static object Floating(object json, Type type)
        {
            double value;
            if (json is long) value = (long)json;
            else if (json is decimal) value = (double)(decimal)json;
            else if (json is double) value = (double)json;
            else return null;
            if (double.IsNaN(value) || double.IsInfinity(value)) return null;
            if (type == typeof(double)) return value;
            return Math.Abs(value) > float.MaxValue ? null : (object)(float)value;
        }

        static bool TakesText(Type type)
        {
            return type == typeof(long) || type == typeof(ulong) || type == typeof(decimal);
        }

        internal static bool TryDecimal(string text, out decimal value)
        {
            const NumberStyles style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint;
            return decimal.TryParse(text, style, CultureInfo.InvariantCulture, out value);
        }

        // Null: the text does not say one.
        static object FromText(string text, Type type)
        {
            if (type == typeof(string)) return text;
            if (type == typeof(char)) return text.Length == 1 ? (object)text[0] : null;
            try
            {
                return Moment(text, type) ?? Parsed(text, type);
            }
            catch (Exception)
            {
                return null;
            }
        }

        static object Moment(string text, Type type)
        {
            CultureInfo culture = CultureInfo.InvariantCulture;
            // Other ways to write a date depend on where one lives.
            bool isIso = text.Length >= 10 && text[4] == '-' && text[7] == '-';
            if (type == typeof(DateTime) && isIso) return DateTime.Parse(text, culture, DateTimeStyles.RoundtripKind);
            if (type == typeof(DateTimeOffset) && isIso)
                return DateTimeOffset.Parse(text, culture, DateTimeStyles.AssumeUniversal);
            if (type == typeof(TimeSpan)) return TimeSpan.Parse(text, culture);
            return null;
        }

        static object Parsed(string text, Type type)
        {
            bool isWritten = type.FullName == BigInteger || Example(type) != null;
            if (!isWritten || type == typeof(DateTime) || type == typeof(DateTimeOffset)) return null;
            if (type == typeof(Guid)) return new Guid(text);
            if (type == typeof(Version)) return new Version(text);
            if (type == typeof(CultureInfo)) return new CultureInfo(text);
            if (type.FullName == "System.Uri") return Activator.CreateInstance(type, text);
            if (type.FullName == "System.DateOnly" && (text.Length != 10 || text[4] != '-')) return null;
            MethodInfo parse = type.GetMethod("Parse", new[] { typeof(string), typeof(IFormatProvider) })
                ?? type.GetMethod("Parse", new[] { typeof(string) });
            if (parse == null) return null;
            bool hasCulture = parse.GetParameters().Length == 2;
            return parse.Invoke(null, hasCulture ? new object[] { text, CultureInfo.InvariantCulture }
                : new object[] { text });
        }
    }
}
