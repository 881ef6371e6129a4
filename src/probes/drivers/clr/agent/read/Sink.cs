namespace Substrate.Read
{
    // Takes the children of one object, one after the other: first where a child stands, then what it is. A value
    // method answers false when it did not take the child and no further one is wanted.
    abstract class Sink
    {
        // A field; `hash` is that of the name.
        internal abstract void Name(string name, long hash);

        internal abstract void Index(int index);

        // The key of a dictionary, as text.
        internal abstract void Key(string key);

        internal abstract bool Value(object value);

        // What the words are, says `kind`: see LeafKind.
        internal abstract bool Scalar(byte kind, long bits, long more, object text);
    }

    // The kinds of a leaf's value. What is kept of one are two words of 64 bits and a text, so that a value that has
    // not changed is recognised without an object or a text being made.
    static class LeafKind
    {
        internal const byte Null = 0;
        internal const byte Flag = 1;
        internal const byte Whole = 2;
        internal const byte Unsigned = 3;
        internal const byte Double = 4;
        internal const byte Single = 5;
        internal const byte Letter = 6;
        internal const byte Text = 7;
        // Too long to be kept: its hash is.
        internal const byte LongText = 8;
        // The bits are the hash of the path that shows the object.
        internal const byte Reference = 9;
        // System.Decimal.
        internal const byte Exact = 10;
        internal const byte Date = 11;
        // A date, and the minutes to universal time.
        internal const byte Offset = 12;
        internal const byte Span = 13;
        internal const byte Day = 14;
        internal const byte Time = 15;
        internal const byte Id = 16;
        // A value of an enum; the text is its EnumNames.
        internal const byte Named = 17;
        // An array of so many bytes.
        internal const byte Bytes = 18;
    }
}
