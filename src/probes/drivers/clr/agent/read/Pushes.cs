using System;

namespace Substrate.Read
{
    // Passes values to a sink without boxing them. Called by emitted code, which selects a method by its parameter
    // type.
    static class Pushes
    {
        internal static bool Of(bool value, Sink sink)
        {
            return sink.Scalar(LeafKind.Flag, value ? 1 : 0, 0, null);
        }

        internal static bool Of(char value, Sink sink)
        {
            return sink.Scalar(LeafKind.Character, value, 0, null);
        }

        internal static bool Of(long value, Sink sink)
        {
            return sink.Scalar(LeafKind.Whole, value, 0, null);
        }

        internal static bool Of(ulong value, Sink sink)
        {
            return sink.Scalar(value <= long.MaxValue ? LeafKind.Whole : LeafKind.Unsigned, unchecked((long)value), 0, null);
        }

        internal static bool Of(double value, Sink sink)
        {
            return sink.Scalar(LeafKind.Double, BitConverter.DoubleToInt64Bits(value), 0, null);
        }

        internal static unsafe bool Of(float value, Sink sink)
        {
            return sink.Scalar(LeafKind.Single, *(int*)&value, 0, null);
        }

        internal static unsafe bool Of(decimal value, Sink sink)
        {
            long* words = (long*)&value;
            return sink.Scalar(LeafKind.Exact, words[0], words[1], null);
        }

        internal static unsafe bool Of(Guid value, Sink sink)
        {
            long* words = (long*)&value;
            return sink.Scalar(LeafKind.Id, words[0], words[1], null);
        }

        // The ticks, with the kind in the two highest bits.
        internal static bool Of(DateTime value, Sink sink)
        {
            return sink.Scalar(LeafKind.Date, unchecked((long)((ulong)value.Kind << 62 | (ulong)value.Ticks)), 0, null);
        }

        internal static bool Of(DateTimeOffset value, Sink sink)
        {
            return sink.Scalar(LeafKind.Offset, value.Ticks, value.Offset.Ticks / TimeSpan.TicksPerMinute, null);
        }

        internal static bool Of(TimeSpan value, Sink sink)
        {
            return sink.Scalar(LeafKind.Span, value.Ticks, 0, null);
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
            return sink.Scalar(LeafKind.Named, value, 0, names);
        }

        internal static bool Day(int value, Sink sink)
        {
            return sink.Scalar(LeafKind.Day, value, 0, null);
        }

        internal static bool Time(long value, Sink sink)
        {
            return sink.Scalar(LeafKind.Time, value, 0, null);
        }

        internal static bool Null(Sink sink)
        {
            return sink.Scalar(LeafKind.Null, 0, 0, null);
        }

        internal static bool Text(string value, Sink sink)
        {
            if (value == null) return Null(sink);
            if (value.Length <= Rules.MaxText) return sink.Scalar(LeafKind.Text, 0, 0, value);
            return sink.Scalar(LeafKind.LongText, Texts.HashOfLong(value), 0, value);
        }

        internal static bool Bytes(byte[] value, Sink sink)
        {
            string text = Texts.OfBytes(value);
            return text == null ? sink.Scalar(LeafKind.Bytes, value.Length, 0, null) : Text(text, sink);
        }

        internal static bool Secret(object value, Sink sink)
        {
            string type = SlotNames.OfType(value.GetType());
            return sink.Scalar(LeafKind.Secret, Hash.Of(type), 0, type);
        }

        internal static void Name(Slot slot, Sink sink)
        {
            sink.Name(slot.Name, slot.Hash);
        }
    }
}
