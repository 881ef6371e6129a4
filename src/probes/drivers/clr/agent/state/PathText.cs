using System;

namespace Substrate.State
{
    // The text of a path, in a buffer that is reused for the next one.
    sealed class PathText
    {
        const string Hex = "0123456789abcdef";
        internal char[] Characters = new char[256];
        internal int Length;

        // Dot notation; a name that is no identifier is quoted. Same rules as src/model/path.ts.
        internal void Name(string name)
        {
            if (Paths.IsIdentifier(name))
            {
                if (Length > 0) Add('.');
                Add(name);
                return;
            }
            Add("[\"");
            for (int at = 0; at < name.Length; at++) Quoted(name, at);
            Add("\"]");
        }

        internal void Index(int index)
        {
            Add('[');
            int digits = 1;
            for (int rest = index; rest >= 10; rest /= 10) digits++;
            Need(digits);
            for (int at = Length + digits - 1, rest = index; at >= Length; at--, rest /= 10)
                Characters[at] = (char)('0' + rest % 10);
            Length += digits;
            Add(']');
        }

        internal void Add(string text)
        {
            Need(text.Length);
            text.CopyTo(0, Characters, Length, text.Length);
            Length += text.Length;
        }

        void Add(char character)
        {
            Need(1);
            Characters[Length++] = character;
        }

        // The same output as JSON.stringify.
        void Quoted(string name, int at)
        {
            char character = name[at];
            int shorthand = "\b\t\n\f\r\"\\".IndexOf(character);
            if (shorthand >= 0)
            {
                Add('\\');
                Add("btnfr\"\\"[shorthand]);
            }
            else if (character < ' ' || IsLone(name, at))
            {
                Add("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) Add(Hex[character >> shift & 15]);
            }
            else Add(character);
        }

        static bool IsLone(string name, int at)
        {
            if (char.IsHighSurrogate(name[at])) return at + 1 >= name.Length || !char.IsLowSurrogate(name[at + 1]);
            return char.IsLowSurrogate(name[at]) && (at == 0 || !char.IsHighSurrogate(name[at - 1]));
        }

        void Need(int more)
        {
            if (Length + more > Characters.Length) Array.Resize(ref Characters, Math.Max(Characters.Length * 2, Length + more));
        }

        public override string ToString()
        {
            return new string(Characters, 0, Length);
        }
    }
}
