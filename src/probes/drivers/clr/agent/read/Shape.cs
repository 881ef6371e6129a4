using System;

namespace Substrate.Read
{
    // The plan for reading the objects of one type.
    sealed class Shape
    {
        // Not shown.
        internal const int Nothing = 0;
        internal const int Scalar = 1;
        // Fields, elements or both.
        internal const int Parts = 2;
        // Another object is shown in its place.
        internal const int Wrapper = 3;

        internal static readonly Shape Hidden = new Shape(Nothing, Fields.None, null);
        // The shape of the agent's own records, entries and rows, and of arrays.
        internal static readonly Shape Bare = new Shape(Parts, Fields.None, null);

        internal readonly int Kind;
        internal readonly Fields Fields;
        internal readonly Container Container;
        // All its fields are scalars, and there are few: it is shown in full at each place that holds it.
        internal bool IsFlat;
        // True if methods of the app can be called on it.
        internal bool IsOfApp;
        // True for a struct: each read gives another box.
        internal bool IsBox;
        // An object of this type may be a proxy without fields: see Proxies.
        internal bool MayBeProxy;
        // An empty one is immutable, so that many places share one: arrays, immutable collections.
        internal bool IsSharedEmpty;
        // The elements of a one-dimensional array.
        internal Accessor Cell;
        // Set for a scalar.
        internal Func<object, Sink, bool> Push;
        // For a wrapper: the object that is shown instead, or the wrapper itself if it stands for no other. For parts:
        // the record that is made of it at each read.
        internal Func<object, object> Unwrap;

        Shape(int kind, Fields fields, Container container)
        {
            Kind = kind;
            Fields = fields;
            Container = container;
        }

        internal static Shape OfScalar(Func<object, Sink, bool> push)
        {
            return new Shape(Scalar, Fields.None, null) { Push = push };
        }

        internal static Shape OfParts(Fields fields, Container container)
        {
            return new Shape(Parts, fields, container);
        }

        internal static Shape OfWrapper(Func<object, object> unwrap)
        {
            return new Shape(Wrapper, Fields.None, null) { Unwrap = unwrap };
        }

        internal static Shape OfView(Func<object, object> view)
        {
            return new Shape(Parts, Fields.None, null) { Unwrap = view };
        }

        // True for a collection or an array: it may hold any number of things.
        internal bool HasElements
        {
            get { return Container != null || Cell != null || this == Bare; }
        }

        internal bool ShowsNothing
        {
            get
            {
                if (Kind != Parts) return Kind == Nothing;
                return this != Bare && Unwrap == null && Container == null && Cell == null && Fields.Slots.Length == 0;
            }
        }

        internal bool HasSlot(string name)
        {
            foreach (Slot slot in Fields.Slots) if (slot.Name == name) return true;
            return false;
        }
    }
}
