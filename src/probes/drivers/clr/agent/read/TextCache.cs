namespace Substrate.Read
{
    // Texts of values that name something (keys of dictionaries), made once and not at every walk.
    sealed class TextCache
    {
        const int Size = 1 << 13;
        // Null as long as all keys were texts.
        string[] texts;
        byte[] kinds;
        long[] bits;
        long[] mores;
        object[] names;

        internal string Of(byte kind, long word, long more, object text)
        {
            if (kind == LeafKind.Text) return (string)text;
            if (texts == null) MakeRoom();
            int at = (int)Hash.Join(word + kind, more) & (Size - 1);
            if (texts[at] != null && bits[at] == word && kinds[at] == kind && mores[at] == more && names[at] == text)
                return texts[at];
            kinds[at] = kind;
            bits[at] = word;
            mores[at] = more;
            names[at] = text;
            return texts[at] = ScalarText.Of(kind, word, more, text);
        }

        void MakeRoom()
        {
            texts = new string[Size];
            kinds = new byte[Size];
            bits = new long[Size];
            mores = new long[Size];
            names = new object[Size];
        }
    }
}
