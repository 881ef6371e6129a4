namespace Substrate.Read
{
    /// <summary>
    /// The kinds of a leaf's value. What is kept of one are two words of 64 bits and a text, so that a value that has
    /// not changed is recognised without an object or a text being made.
    /// </summary>
    static class Kind
    {
        internal const byte Null = 0;
        internal const byte Flag = 1;
        internal const byte Whole = 2;
        internal const byte Unsigned = 3;
        internal const byte Double = 4;
        internal const byte Single = 5;
        internal const byte Letter = 6;
        internal const byte Text = 7;
        /// <summary>Too long to be kept: its hash is.</summary>
        internal const byte LongText = 8;
        /// <summary>The bits are the hash of the path that shows the object.</summary>
        internal const byte Reference = 9;
        /// <summary>System.Decimal.</summary>
        internal const byte Exact = 10;
        internal const byte Date = 11;
        /// <summary>A date, and the minutes to universal time.</summary>
        internal const byte Offset = 12;
        internal const byte Span = 13;
        internal const byte Day = 14;
        internal const byte Time = 15;
        internal const byte Id = 16;
        /// <summary>A value of an enum; the text is its EnumNames.</summary>
        internal const byte Named = 17;
        /// <summary>An array of so many bytes.</summary>
        internal const byte Bytes = 18;
    }
}
