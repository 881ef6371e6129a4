using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Substrate.Read;

namespace Substrate.State
{
    // Checksums of long tables, by the hashes of their paths. Only the size of a long table is shown until it changes:
    // most hold words, codes or translations.
    sealed class TableMarks : ITaker
    {
        const int Max = 1000;
        const long Changed = 0;
        readonly Shapes shapes;
        readonly Dictionary<long, long> marks = new Dictionary<long, long>();
        long mark;

        internal TableMarks(Shapes shapes)
        {
            this.shapes = shapes;
        }

        internal bool IsUnchanged(long place, object table, Shape shape)
        {
            if (Estimates.Of(table, shape) <= Rules.LongTable) return false;
            mark = Hash.Start;
            shapes.Each(table, shape, this);
            long known;
            bool isKnown = marks.TryGetValue(place, out known);
            if (!isKnown && marks.Count < Max) marks[place] = mark;
            else if (!isKnown || known != mark) marks[place] = Changed;
            return !isKnown || known == mark;
        }

        public bool Take(Accessor key, object keyHolder, Accessor value, object valueHolder, int at)
        {
            long part = key == null ? 0 : Of(key.Get(keyHolder, at)) * 31L;
            mark = Hash.Join(mark, part + Of(value.Get(valueHolder, at)));
            return true;
        }

        // Two reads of a number give two boxes: its value counts. No code of the app is called.
        int Of(object value)
        {
            if (value == null) return 0;
            bool isValue = value is ValueType && shapes.Of(value.GetType()).Kind == Shape.Scalar;
            return isValue ? value.GetHashCode() : RuntimeHelpers.GetHashCode(value);
        }
    }
}
