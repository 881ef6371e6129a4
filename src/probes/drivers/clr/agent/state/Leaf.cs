using System;
using Substrate.Json;
using Substrate.Read;

namespace Substrate.State
{
    /// <summary>How the value of a leaf is written.</summary>
    static class Leaf
    {
        /// <summary>A date, an id, a name.</summary>
        const int ShortText = 32;

        /// <summary>
        /// About how many characters of a value are sent. Asked for each leaf of each walk: no text is made for it.
        /// </summary>
        internal static int Length(byte kind, object text)
        {
            if (kind < Kind.Letter) return 0;
            var known = text as string;
            return known == null ? ShortText : Math.Min(known.Length, Texts.MaxText);
        }

        /// <summary>`text`: of Text, LongText and Reference that one, of Named the names.</summary>
        internal static void Write(JsonWriter json, byte kind, long bits, long more, object text)
        {
            switch (kind)
            {
                case Kind.Null: json.Raw("null"); break;
                case Kind.Flag: json.Flag(bits != 0); break;
                case Kind.Whole: json.Whole(bits); break;
                case Kind.Double: json.Decimal(BitConverter.Int64BitsToDouble(bits)); break;
                case Kind.Single: json.Value(ScalarText.SingleOf(bits)); break;
                case Kind.Exact: Exact(json, ScalarText.ExactOf(bits, more)); break;
                case Kind.LongText: json.Text(Texts.Cut((string)text)); break;
                default: json.Text(ScalarText.Of(kind, bits, more, text)); break;
            }
        }

        static void Exact(JsonWriter json, decimal number)
        {
            if (ScalarText.FitsDouble(number)) json.Value(number);
            else json.Text(number.ToString(System.Globalization.CultureInfo.InvariantCulture));
        }

        /// <summary>As an object, for those who want no JSON.</summary>
        internal static object Value(byte kind, long bits, long more, object text)
        {
            switch (kind)
            {
                case Kind.Null: return null;
                case Kind.Flag: return bits != 0;
                case Kind.Whole: return bits;
                case Kind.Double: return BitConverter.Int64BitsToDouble(bits);
                case Kind.Single: return ScalarText.SingleOf(bits);
                case Kind.Exact:
                    decimal number = ScalarText.ExactOf(bits, more);
                    if (ScalarText.FitsDouble(number)) return number;
                    return number.ToString(System.Globalization.CultureInfo.InvariantCulture);
                case Kind.LongText: return Texts.Cut((string)text);
                default: return ScalarText.Of(kind, bits, more, text);
            }
        }
    }
}
