using System;

namespace Harness
{
    static class Check
    {
        internal static void Same(string what, object expected, object actual)
        {
            if (!Equals(expected, actual)) throw new Exception(what + ": expected <" + expected + "> but got <" + actual + ">");
        }

        internal static void That(string what, bool holds)
        {
            if (!holds) throw new Exception(what);
        }

        /// <summary>All leaves of a value, as `path=value`, with blanks between them.</summary>
        internal static void Shows(string expected, object value)
        {
            var subject = new Subject(1000).Put("x", new Box { It = value });
            string first = subject.Text("x.It");
            Same("shown", expected, first);
            // Once by reflection, then by code that was made for it.
            for (int round = 0; round < 80; round++) subject.State();
            Same("shown later", expected, subject.Text("x.It"));
            Same("shown in full", expected, subject.Again().Text("x.It"));
        }
    }

    sealed class Box
    {
        public object It;
    }
}
