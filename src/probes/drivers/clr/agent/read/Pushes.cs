using System;

namespace Substrate.Read
{
    /// <summary>
    /// Hands values to a sink without boxing them. Called by emitted code: found there by the parameter's type.
    /// </summary>
    static class Pushes
    {
        internal static bool Of(bool value, Sink sink)
        {
            return sink.Scalar(Kind.Flag, value ? 1 : 0, 0, null);
        }

        internal static bool Of(char value, Sink sink)
        {
            return sink.Scalar(Kind.Letter, value, 0, null);
        }

        internal static bool Of(long value, Sink sink)
        {
            return sink.Scalar(Kind.Whole, value, 0, null);
        }

        internal static bool Of(ulong value, Sink sink)
        {
            return sink.Scalar(value <= long.MaxValue ? Kind.Whole : Kind.Unsigned, unchecked((long)value), 0, null);
        }

        internal static bool Of(double value, Sink sink)
        {
            return sink.Scalar(Kind.Double, BitConverter.DoubleToInt64Bits(value), 0, null);
        }

        internal static unsafe bool Of(float value, Sink sink)
        {
            return sink.Scalar(Kind.Single, *(int*)&value, 0, null);
        }

        internal static unsafe bool Of(decimal value, Sink sink)
        {
            long* words = (long*)&value;
            return sink.Scalar(Kind.Exact, words[0], words[1], null);
        }

        internal static unsafe bool Of(Guid value, Sink sink)
        {
            long* words = (long*)&value;
            return sink.Scalar(Kind.Id, words[0], words[1], null);
        }

        /// <summary>The ticks, with the kind in the two uppermost bits.</summary>
        internal static bool Of(DateTime value, Sink sink)
        {
            return sink.Scalar(Kind.Date, unchecked((long)((ulong)value.Kind << 62 | (ulong)value.Ticks)), 0, null);
        }

        internal static bool Of(DateTimeOffset value, Sink sink)
        {
            return sink.Scalar(Kind.Offset, value.Ticks, value.Offset.Ticks / TimeSpan.TicksPerMinute, null);
        }

        internal static bool Of(TimeSpan value, Sink sink)
        {
            return sink.Scalar(Kind.Span, value.Ticks, 0, null);
        }

        internal static bool Of(object value, Sink sink)
        {
            return sink.Value(value);
        }

        internal static bool IfAny(object value, Sink sink)
        {
            return value == null || sink.Value(value);
        }

        internal static bool Named(long value, EnumNames names, Sink sink)
        {
            return sink.Scalar(Kind.Named, value, 0, names);
        }

        internal static bool Day(int value, Sink sink)
        {
            return sink.Scalar(Kind.Day, value, 0, null);
        }

        internal static bool Time(long value, Sink sink)
        {
            return sink.Scalar(Kind.Time, value, 0, null);
        }

        internal static bool Null(Sink sink)
        {
            return sink.Scalar(Kind.Null, 0, 0, null);
        }

        internal static bool Text(string value, Sink sink)
        {
            if (value == null) return Null(sink);
            if (value.Length <= Texts.MaxText) return sink.Scalar(Kind.Text, 0, 0, value);
            return sink.Scalar(Kind.LongText, Texts.HashOfLong(value), 0, value);
        }

        internal static bool Bytes(byte[] value, Sink sink)
        {
            string text = Texts.OfBytes(value);
            return text == null ? sink.Scalar(Kind.Bytes, value.Length, 0, null) : Text(text, sink);
        }

        internal static void Name(Slot slot, Sink sink)
        {
            sink.Name(slot.Name, slot.Hash);
        }
    }
}
