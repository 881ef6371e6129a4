using System;
using Substrate.Json;
using Substrate.Read;

namespace Substrate.State
{
    // Writes the value of a leaf.
    static class Leaf
    {
        // The length of a date, an id, a name.
        const int ShortText = 32;

        // The approximate number of sent characters. Called for each leaf of each walk: it makes no text.
        internal static int Length(byte kind, object text)
        {
            if (kind < LeafKind.Character) return 0;
            var known = text as string;
            return known == null ? ShortText : Math.Min(known.Length, Rules.MaxText);
        }

        // `text` is set for Text and LongText; for Reference it is the path, for Named the names, for
        // Secret the type.
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
                case LeafKind.Secret: json.Raw("[null,").Text((string)text).Raw(']'); break;
                case LeafKind.Reference: json.Raw('[').Text((string)text).Raw(']'); break;
                default: json.Text(ScalarText.Of(kind, bits, more, text)); break;
            }
        }

        static void Exact(JsonWriter json, decimal number)
        {
            if (ScalarText.FitsDouble(number)) json.Value(number);
            else json.Text(number.ToString(System.Globalization.CultureInfo.InvariantCulture));
        }

        // The value as an object, for callers that need no JSON.
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
                case LeafKind.Secret: return new[] { null, text };
                case LeafKind.Reference: return new[] { text };
                default: return ScalarText.Of(kind, bits, more, text);
            }
        }
    }
}
