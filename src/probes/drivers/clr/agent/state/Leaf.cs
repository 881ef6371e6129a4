using System;
using Substrate.Json;
using Substrate.Read;

namespace Substrate.State
{
    // How the value of a leaf is written.
    static class Leaf
    {
        // A date, an id, a name.
        const int ShortText = 32;

        // About how many characters of a value are sent. Asked for each leaf of each walk: no text is made for it.
        internal static int Length(byte kind, object text)
        {
            if (kind < LeafKind.Letter) return 0;
            var known = text as string;
            return known == null ? ShortText : Math.Min(known.Length, Texts.MaxText);
        }

        // `text`: of Text and LongText that one, of Reference the path, of Named the names.
        internal static void Write(JsonWriter json, byte kind, long bits, long more, object text)
        {
            switch (kind)
            {
                case LeafKind.Null: json.Raw("null"); break;
                case LeafKind.Flag: json.Flag(bits != 0); break;
                case LeafKind.Whole: json.Whole(bits); break;
                case LeafKind.Double: json.Decimal(BitConverter.Int64BitsToDouble(bits)); break;
                case LeafKind.Single: json.Value(ScalarText.SingleOf(bits)); break;
                case LeafKind.Exact: Exact(json, ScalarText.ExactOf(bits, more)); break;
                case LeafKind.LongText: json.Text(Texts.Cut((string)text)); break;
                case LeafKind.Reference: json.Raw('[').Text((string)text).Raw(']'); break;
                default: json.Text(ScalarText.Of(kind, bits, more, text)); break;
            }
        }

        static void Exact(JsonWriter json, decimal number)
        {
            if (ScalarText.FitsDouble(number)) json.Value(number);
            else json.Text(number.ToString(System.Globalization.CultureInfo.InvariantCulture));
        }

        // As an object, for those who want no JSON.
        internal static object Value(byte kind, long bits, long more, object text)
        {
            switch (kind)
            {
                case LeafKind.Null: return null;
                case LeafKind.Flag: return bits != 0;
                case LeafKind.Whole: return bits;
                case LeafKind.Double: return BitConverter.Int64BitsToDouble(bits);
                case LeafKind.Single: return ScalarText.SingleOf(bits);
                case LeafKind.Exact:
                    decimal number = ScalarText.ExactOf(bits, more);
                    if (ScalarText.FitsDouble(number)) return number;
                    return number.ToString(System.Globalization.CultureInfo.InvariantCulture);
                case LeafKind.LongText: return Texts.Cut((string)text);
                case LeafKind.Reference: return new[] { text };
                default: return ScalarText.Of(kind, bits, more, text);
            }
        }
    }
}
