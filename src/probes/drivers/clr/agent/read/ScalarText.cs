using System;
using System.Globalization;

namespace Substrate.Read
{
    // Values as texts that are the same in every culture.
    static class ScalarText
    {
        // For any kind but Null and Reference.
        internal static string Of(byte kind, long bits, long more, object text)
        {
            switch (kind)
            {
                case LeafKind.Flag: return bits != 0 ? "true" : "false";
                case LeafKind.Whole: return bits.ToString(CultureInfo.InvariantCulture);
                case LeafKind.Unsigned: return unchecked((ulong)bits).ToString(CultureInfo.InvariantCulture);
                case LeafKind.Double:
                    return BitConverter.Int64BitsToDouble(bits).ToString("R", CultureInfo.InvariantCulture);
                case LeafKind.Single: return SingleOf(bits).ToString("R", CultureInfo.InvariantCulture);
                case LeafKind.Character: return ((char)bits).ToString();
                case LeafKind.Exact: return ExactOf(bits, more).ToString(CultureInfo.InvariantCulture);
                case LeafKind.Date: return Date(DateOf(bits));
                case LeafKind.Offset: return Date(new DateTime(bits)) + Minutes((int)more);
                case LeafKind.Span: return new TimeSpan(bits).ToString("c", CultureInfo.InvariantCulture);
                case LeafKind.Day: return Day(new DateTime(bits * TimeSpan.TicksPerDay));
                case LeafKind.Time: return Clock(new DateTime(bits));
                case LeafKind.Id: return IdOf(bits, more).ToString("D");
                case LeafKind.Named: return ((EnumNames)text).Of(bits);
                case LeafKind.Bytes: return "[byte[] of " + bits.ToString(CultureInfo.InvariantCulture) + " bytes]";
                default: return (string)text;
            }
        }

        internal static unsafe float SingleOf(long bits)
        {
            int word = (int)bits;
            return *(float*)&word;
        }

        internal static unsafe decimal ExactOf(long bits, long more)
        {
            long* words = stackalloc long[2];
            words[0] = bits;
            words[1] = more;
            return *(decimal*)words;
        }

        static unsafe Guid IdOf(long bits, long more)
        {
            long* words = stackalloc long[2];
            words[0] = bits;
            words[1] = more;
            return *(Guid*)words;
        }

        // A double holds 15 digits of any number.
        internal static bool FitsDouble(decimal number)
        {
            int[] parts = decimal.GetBits(number);
            ulong low = (uint)parts[0] | (ulong)(uint)parts[1] << 32;
            return parts[2] == 0 && low <= 999999999999999UL;
        }

        static DateTime DateOf(long bits)
        {
            return new DateTime(bits & 0x3FFFFFFFFFFFFFFFL, (DateTimeKind)(unchecked((ulong)bits) >> 62));
        }

        static string Date(DateTime date)
        {
            return Day(date) + "T" + Clock(date) + (date.Kind == DateTimeKind.Utc ? "Z" : "");
        }

        static string Day(DateTime date)
        {
            return date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
        }

        static string Clock(DateTime date)
        {
            return date.ToString("HH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture);
        }

        static string Minutes(int offset)
        {
            int minutes = Math.Abs(offset);
            return (offset < 0 ? "-" : "+") + (minutes / 60).ToString("00", CultureInfo.InvariantCulture) + ":"
                + (minutes % 60).ToString("00", CultureInfo.InvariantCulture);
        }
    }
}
