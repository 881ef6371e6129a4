using Substrate.Read;

namespace Substrate.State
{
    // Looks ahead: is there anything in an object but references to what is shown already?
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
