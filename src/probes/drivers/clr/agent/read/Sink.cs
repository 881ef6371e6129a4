namespace Substrate.Read
{
    // Takes the children of one object, one after the other: first the place of a child, then its value. A value method
    // returns false when it did not take the child and wants no more.
    abstract class Sink
    {
        // The child is a field; `hash` is the hash of its name.
        internal abstract void Name(string name, long hash);

        internal abstract void Index(int index);

        // The child is an entry of a dictionary; the key is its text.
        internal abstract void Key(string key);

        internal abstract bool Value(object value);

        // `kind` determines the meaning of the words: see LeafKind.
        internal abstract bool Scalar(byte kind, long bits, long more, object text);
    }

    // The kinds of a leaf's value. A leaf is stored as two words of 64 bits and a text, so that an unchanged value is
    // recognised without making an object or a text.
    static class LeafKind
    {
        internal const byte Null = 0;
        internal const byte Flag = 1;
        internal const byte Whole = 2;
        internal const byte Unsigned = 3;
        internal const byte Double = 4;
        internal const byte Single = 5;
        internal const byte Character = 6;
        internal const byte Text = 7;
        // A text that is too long to keep: its hash is kept.
        internal const byte LongText = 8;
        // The bits are the hash of the path that shows the object.
        internal const byte Reference = 9;
        // System.Decimal.
        internal const byte Exact = 10;
        internal const byte Date = 11;
        // A date, and its offset from UTC in minutes.
        internal const byte Offset = 12;
        internal const byte Span = 13;
        internal const byte Day = 14;
        internal const byte Time = 15;
        internal const byte Id = 16;
        // A value of an enum; the text is its EnumNames.
        internal const byte Named = 17;
        // An array of bytes, with its length.
        internal const byte Bytes = 18;
        // An object that is not read: only the name of its type is reported, and the bits are the hash of that.
        internal const byte Secret = 19;
    }
}
