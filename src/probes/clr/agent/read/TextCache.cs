namespace Substrate.Read
{
    /// <summary>Texts of values that name something (keys of dictionaries), made once and not at every walk.</summary>
    sealed class TextCache
    {
        const int Size = 1 << 13;
        readonly string[] texts = new string[Size];
        readonly byte[] kinds = new byte[Size];
        readonly long[] bits = new long[Size];
        readonly long[] mores = new long[Size];
        readonly object[] names = new object[Size];

        internal string Of(byte kind, long word, long more, object text)
        {
            if (kind == Kind.Text) return (string)text;
            int at = (int)Hash.Join(word + kind, more) & (Size - 1);
            if (texts[at] != null && bits[at] == word && kinds[at] == kind && mores[at] == more && names[at] == text)
                return texts[at];
            kinds[at] = kind;
            bits[at] = word;
            mores[at] = more;
            names[at] = text;
            return texts[at] = ScalarText.Of(kind, word, more, text);
        }
    }
}
