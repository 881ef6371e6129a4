using Substrate.Read;

namespace Substrate.State
{
    // Checks in advance whether an object holds only references to objects that are shown already.
    sealed class ReferenceOnlyCheck : Sink
    {
        readonly Shapes shapes;
        readonly ObjectReader reader;
        readonly SeenObjects seen;
        bool isFilled;
        bool refers;

        internal ReferenceOnlyCheck(Shapes shapes, ObjectReader reader, SeenObjects seen)
        {
            this.shapes = shapes;
            this.reader = reader;
            this.seen = seen;
        }

        internal bool SeesOnlyReferences(object target, Shape shape)
        {
            isFilled = false;
            refers = false;
            reader.Read(target, shape, 0, 0, this);
            return refers && !isFilled;
        }

        internal override bool Value(object value)
        {
            if (value == null) return Filled();
            Shape shape = shapes.Of(value.GetType());
            if (shape.Kind == Shape.Nothing || shape.MayBeProxy && Proxies.Is(value)) return true;
            if (seen.Find(value) < 0) return Filled();
            refers = true;
            return true;
        }

        internal override bool Scalar(byte kind, long bits, long more, object text)
        {
            return Filled();
        }

        bool Filled()
        {
            isFilled = true;
            return false;
        }

        internal override void Name(string name, long hash) { }

        internal override void Index(int index) { }

        internal override void Key(string key) { }
    }
}
