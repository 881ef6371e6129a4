namespace Substrate.Code
{
    // Where a value may have come from, one bit for each: what writing to it means follows from that. From FirstCall on a
    // bit stands for the result of a call of the framework. The same bits stand in
    // src/probes/insight/effects/value-origin.ts.
    static class ValueOrigin
    {
        // Anything: to write to it changes what others may see.
        internal const long Other = 1;
        internal const long This = 2;
        // Made by the method itself.
        internal const long Fresh = 4;
        // A parameter, at most converted.
        internal const long Argument = 8;
        internal const long Constant = 16;
        // Read from a field of `this`.
        internal const long Held = 32;
        // A lambda or method group whose body is among the calls of the method.
        internal const long Function = 64;
        // The address of a variable of the method, or of a part of something fresh.
        internal const long Local = 128;
        // The address of a field of `this`, or of a part of it.
        internal const long Part = 256;
        // An object that a compiler made for variables which outlive a piece of code: of lambdas, iterators and async
        // methods. It belongs to the call; through it leads the way to the `this` of the method as it was written.
        internal const long Closure = 512;
        const int FirstCall = 10;
        // JSON has no larger numbers.
        internal const int MaxCalls = 43;

        internal static long OfCall(int number)
        {
            return number >= MaxCalls ? Other : 1L << FirstCall + number;
        }

        // It can be nothing else, unless it is null.
        internal static bool IsOnly(long origins, long one)
        {
            return (origins & ~Constant) == one;
        }

        // For each origin in `from` that there is `to`, for any other one Other.
        internal static long Mapped(long origins, long from, long to)
        {
            long mapped = (origins & from) != 0 ? to : 0;
            return (origins & ~(from | Constant)) != 0 || mapped == 0 ? mapped | Other : mapped;
        }
    }
}
