using System;
using System.Collections.Generic;
using Substrate.Read;

namespace Substrate.State
{
    // Follows a path down from an object, child by child.
    sealed class PathFinder : Sink
    {
        readonly Shapes shapes;
        readonly ObjectReader reader;
        object wanted;
        bool isHere;
        object found;

        internal PathFinder(Shapes shapes, ObjectReader reader)
        {
            this.shapes = shapes;
            this.reader = reader;
        }

        // `segments` from the second on lead down from the root; null if there is nothing, or no object.
        internal object Find(RootCandidate root, IList<object> segments)
        {
            object target = root.Target;
            if (target == null || segments.Count == 1 && root.IsStatic) return target;
            Shape shape = root.IsStatic ? shapes.OfStatics((Type)target) : shapes.Of(target.GetType());
            long place = Hash.Join(Hash.Start, Hash.Of(root.Id));
            for (int at = 0; ; at++)
            {
                if (at > 0)
                {
                    target = Below(target, shape, place, segments[at]);
                    if (target == null) return null;
                    place = Hash.Join(place, wanted is int ? Hash.Of((int)wanted) : Hash.Of((string)wanted));
                    shape = shapes.Of(target.GetType());
                }
                for (int hops = 0; shape.Kind == Shape.Wrapper && hops < Rules.MaxWrappers; hops++)
                {
                    target = shape.Unwrap(target);
                    if (target == null) return null;
                    shape = shapes.Of(target.GetType());
                }
                if (shape.Kind != Shape.Parts || shape.MayBeProxy && Proxies.Is(target)) return null;
                if (at + 1 == segments.Count) return target;
            }
        }

        object Below(object target, Shape shape, long place, object segment)
        {
            wanted = segment;
            found = null;
            isHere = false;
            reader.Read(target, shape, place, 0, this);
            object below = found;
            found = null;
            return below;
        }

        internal override void Name(string name, long hash)
        {
            isHere = name.Equals(wanted);
        }

        internal override void Index(int index)
        {
            isHere = wanted is int && (int)wanted == index;
        }

        internal override void Key(string key)
        {
            isHere = key.Equals(wanted);
        }

        internal override bool Value(object value)
        {
            if (isHere) found = value;
            return !isHere;
        }

        internal override bool Scalar(byte kind, long bits, long more, object text)
        {
            return !isHere;
        }
    }
}
