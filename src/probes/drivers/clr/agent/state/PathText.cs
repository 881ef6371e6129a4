using System;

namespace Substrate.State
{
    // The text of a path, in letters that are used again for the next one.
    sealed class PathText
    {
        const string Hex = "0123456789abcdef";
        internal char[] Letters = new char[256];
        internal int Length;

        // Dot notation; a name that is no identifier is quoted. As src/model/path.ts has it.
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
                Letters[at] = (char)('0' + rest % 10);
            Length += digits;
            Add(']');
        }

        internal void Add(string text)
        {
            Need(text.Length);
            text.CopyTo(0, Letters, Length, text.Length);
            Length += text.Length;
        }

        void Add(char letter)
        {
            Need(1);
            Letters[Length++] = letter;
        }

        // As JSON.stringify does.
        void Quoted(string name, int at)
        {
            char letter = name[at];
            int shorthand = "\b\t\n\f\r\"\\".IndexOf(letter);
            if (shorthand >= 0)
            {
                Add('\\');
                Add("btnfr\"\\"[shorthand]);
            }
            else if (letter < ' ' || IsLone(name, at))
            {
                Add("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) Add(Hex[letter >> shift & 15]);
            }
            else Add(letter);
        }

        static bool IsLone(string name, int at)
        {
            if (char.IsHighSurrogate(name[at])) return at + 1 >= name.Length || !char.IsLowSurrogate(name[at + 1]);
            return char.IsLowSurrogate(name[at]) && (at == 0 || !char.IsHighSurrogate(name[at - 1]));
        }

        void Need(int more)
        {
            if (Length + more > Letters.Length) Array.Resize(ref Letters, Math.Max(Letters.Length * 2, Length + more));
        }

        public override string ToString()
        {
            return new string(Letters, 0, Length);
        }
    }
}
