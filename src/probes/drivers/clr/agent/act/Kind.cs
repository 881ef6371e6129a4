namespace Substrate.Act
{
    /// <summary>
    /// What is known of a value while a method runs: where it came from decides what writing to it means.
    /// </summary>
    static class Kind
    {
        /// <summary>Anything: to write to it changes what others may see.</summary>
        internal const byte Other = 0;
        internal const byte This = 1;
        /// <summary>Made by the method itself.</summary>
        internal const byte Fresh = 2;
        /// <summary>A parameter, at most converted.</summary>
        internal const byte Argument = 3;
        internal const byte Constant = 4;
        /// <summary>Read from a field of `this`.</summary>
        internal const byte Held = 5;
        /// <summary>A lambda or method group whose body is among the calls of the method.</summary>
        internal const byte Function = 6;
        /// <summary>The address of a variable of the method, or of a part of something fresh.</summary>
        internal const byte Local = 7;
        /// <summary>The address of a field of `this`, or of a part of it.</summary>
        internal const byte Part = 8;
        /// <summary>
        /// An object that a compiler made for variables which outlive a piece of code: of lambdas, iterators and async
        /// methods. It belongs to the call; through it leads the way to the `this` of the method as it was written.
        /// </summary>
        internal const byte Closure = 9;

        /// <summary>
        /// Of a value that comes from two ways: null or a number beside something else does not make that unknown.
        /// </summary>
        internal static byte Merge(byte one, byte other)
        {
            if (one == other || other == Constant) return one;
            return one == Constant ? other : Other;
        }

        /// <summary>The level of Effects of writing to what it stands for.</summary>
        internal static int OfWritingTo(byte kind)
        {
            if (kind == Fresh || kind == Local || kind == Closure) return Effects.None;
            return kind == Held || kind == This || kind == Part ? Effects.Own : Effects.Unknown;
        }
    }
}
