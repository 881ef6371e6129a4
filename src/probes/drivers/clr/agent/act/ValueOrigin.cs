namespace Substrate.Act
{
    // What is known of a value while a method runs: where it came from decides what writing to it means.
    static class ValueOrigin
    {
        // Anything: to write to it changes what others may see.
        internal const byte Other = 0;
        internal const byte This = 1;
        // Made by the method itself.
        internal const byte Fresh = 2;
        // A parameter, at most converted.
        internal const byte Argument = 3;
        internal const byte Constant = 4;
        // Read from a field of `this`.
        internal const byte Held = 5;
        // A lambda or method group whose body is among the calls of the method.
        internal const byte Function = 6;
        // The address of a variable of the method, or of a part of something fresh.
        internal const byte Local = 7;
        // The address of a field of `this`, or of a part of it.
        internal const byte Part = 8;
        // An object that a compiler made for variables which outlive a piece of code: of lambdas, iterators and async
        // methods. It belongs to the call; through it leads the way to the `this` of the method as it was written.
        internal const byte Closure = 9;

        // Of a value that comes from two ways: null or a number beside something else does not make that unknown.
        internal static byte Merge(byte one, byte other)
        {
            if (one == other || other == Constant) return one;
            return one == Constant ? other : Other;
        }

        // The level of Effects of writing to what it stands for.
        internal static int OfWritingTo(byte kind)
        {
            if (kind == Fresh || kind == Local || kind == Closure) return Effects.None;
            return kind == Held || kind == This || kind == Part ? Effects.Own : Effects.Unknown;
        }
    }
}
