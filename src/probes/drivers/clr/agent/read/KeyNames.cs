using System.Collections.Generic;

namespace Substrate.Read
{
    // The texts of the keys of the current dictionary, which name its entries.
    sealed class KeyNames : Sink
    {
        readonly Shapes shapes;
        readonly TextCache texts = new TextCache();
        readonly HashSet<string> taken = new HashSet<string>();
        string found;

        internal KeyNames(Shapes shapes)
        {
            this.shapes = shapes;
        }

        internal void Begin()
        {
            if (taken.Count > 0) taken.Clear();
        }

        // Null if it cannot be a name.
        internal string Of(Accessor key, object holder, int index)
        {
            found = null;
            key.Push(holder, index, this);
            return found;
        }

        // Keys of different types can have one text, as 1 and "1" do: the first one has it.
        internal bool IsTaken(Accessor key, string name)
        {
            return !key.Type.IsSealed && !taken.Add(name);
        }

        internal override bool Value(object value)
        {
            if (value == null) found = "null";
            else if (value is string) found = (string)value;
            else
            {
                Shape shape = shapes.Of(value.GetType());
                if (shape.Kind == Shape.Scalar) shape.Push(value, this);
            }
            return true;
        }

        internal override bool Scalar(byte kind, long bits, long more, object text)
        {
            if (kind == LeafKind.Secret) return true;
            found = kind == LeafKind.LongText ? (string)text : texts.Of(kind, bits, more, text);
            return true;
        }

        internal override void Name(string name, long hash) { }

        internal override void Index(int index) { }

        internal override void Key(string key) { }
    }

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
