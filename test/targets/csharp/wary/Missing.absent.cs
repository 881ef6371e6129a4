using System;

namespace Absent
{
    public class Base
    {
        public int Held = 1;
    }

    public interface IThing { }

    public struct Value
    {
        public int Number;
    }

    public sealed class MarkAttribute : Attribute { }
}
