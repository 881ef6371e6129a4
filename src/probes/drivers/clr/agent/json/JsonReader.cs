using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Substrate.Json
{
    // Reads JSON: null, bool, long, decimal (where exact) or double, string, List<object>, Dictionary<string, object>.
    sealed class JsonReader
    {
        const int MaxDepth = 200;
        readonly string text;
        int at;
        int depth;

        JsonReader(string text)
        {
            this.text = text;
        }

        // Throws FormatException on anything that is no JSON.
        internal static object Read(string text)
        {
            var reader = new JsonReader(text);
            object value = reader.Value();
            reader.Space();
            if (reader.at != text.Length) throw reader.Wrong();
            return value;
        }

        object Value()
        {
            Space();
            switch (Peek())
            {
                case '{': return Map();
                case '[': return List();
                case '"': return Text();
                case 't': return Word("true", true);
                case 'f': return Word("false", false);
                case 'n': return Word("null", null);
                default: return Number();
            }
        }

        Dictionary<string, object> Map()
        {
            var map = new Dictionary<string, object>();
            Enter();
            if (!Ends('}'))
            {
                do
                {
                    Space();
                    string key = Text();
                    Space();
                    Expect(':');
                    map[key] = Value();
                } while (Goes('}'));
            }
            depth--;
            return map;
        }

        List<object> List()
        {
            var list = new List<object>();
            Enter();
            if (!Ends(']'))
            {
                do list.Add(Value());
                while (Goes(']'));
            }
            depth--;
            return list;
        }

        void Enter()
        {
            at++;
            if (++depth > MaxDepth) throw Wrong();
        }

        bool Ends(char end)
        {
            Space();
            if (Peek() != end) return false;
            at++;
            return true;
        }

        // A comma means that there is more; `end` means that there is not.
        bool Goes(char end)
        {
            Space();
            char character = Peek();
            if (character != ',' && character != end) throw Wrong();
            at++;
            return character == ',';
        }

        object Word(string word, object value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Wrong();
            at += word.Length;
            return value;
        }

        object Number()
        {
            int start = at;
            if (Peek() == '-') at++;
            if (Peek() == '0') at++;
            else Digits();
            bool isWhole = true;
            if (at < text.Length && text[at] == '.')
            {
                isWhole = false;
                at++;
                Digits();
            }
            bool hasExponent = at < text.Length && (text[at] == 'e' || text[at] == 'E');
            if (hasExponent)
            {
                at++;
                if (Peek() == '+' || Peek() == '-') at++;
                Digits();
            }
            return Value(text.Substring(start, at - start), isWhole, hasExponent);
        }

        void Digits()
        {
            int start = at;
            while (at < text.Length && text[at] >= '0' && text[at] <= '9') at++;
            if (at == start) throw Wrong();
        }

        object Value(string number, bool isWhole, bool hasExponent)
        {
            CultureInfo invariant = CultureInfo.InvariantCulture;
            long whole;
            if (isWhole && long.TryParse(number, NumberStyles.AllowLeadingSign, invariant, out whole)) return whole;
            decimal exact;
            const NumberStyles Plain = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint;
            if (!hasExponent && decimal.TryParse(number, Plain, invariant, out exact)) return exact;
            double value;
            if (double.TryParse(number, NumberStyles.Float, invariant, out value)) return value;
            throw Wrong();
        }

        string Text()
        {
            Expect('"');
            int end = at;
            while (end < text.Length && text[end] != '"' && text[end] != '\\' && text[end] >= ' ') end++;
            if (end < text.Length && text[end] == '"') return Take(end);
            var result = new StringBuilder();
            for (;;)
            {
                char character = Peek();
                at++;
                if (character == '"') return result.ToString();
                if (character < ' ') throw Wrong();
                result.Append(character == '\\' ? Escape() : character);
            }
        }

        string Take(int end)
        {
            string taken = text.Substring(at, end - at);
            at = end + 1;
            return taken;
        }

        char Escape()
        {
            char character = Peek();
            at++;
            switch (character)
            {
                case 'n': return '\n';
                case 't': return '\t';
                case 'r': return '\r';
                case 'b': return '\b';
                case 'f': return '\f';
                case '"': case '\\': case '/': return character;
                case 'u': return Unicode();
                default: throw Wrong();
            }
        }

        char Unicode()
        {
            if (at + 4 > text.Length) throw Wrong();
            int code;
            if (!int.TryParse(text.Substring(at, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture,
                out code))
                throw Wrong();
            at += 4;
            return (char)code;
        }

        void Expect(char character)
        {
            if (Peek() != character) throw Wrong();
            at++;
        }

        void Space()
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r'))
                at++;
        }

        char Peek()
        {
            if (at >= text.Length) throw Wrong();
            return text[at];
        }

        FormatException Wrong()
        {
            return new FormatException("no JSON at " + at.ToString(CultureInfo.InvariantCulture));
        }
    }
}
