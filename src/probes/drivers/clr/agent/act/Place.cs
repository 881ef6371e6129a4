using System;
using System.Collections.Generic;

namespace Substrate.Act
{
    // All that the state shows at one shape of path, whatever its types.
    sealed class Place
    {
        const int Minor = 1000000;
        // What lies deeper is how something works, not what it is for.
        const int MaxDepth = 4;

        internal readonly string Shape;
        internal readonly bool IsStatic;
        internal readonly ShapePath Path;
        internal readonly List<Type> Types = new List<Type>();

        internal Place(string shape, bool isStatic)
        {
            Shape = shape;
            IsStatic = isStatic;
            Path = new ShapePath(shape);
        }

        internal bool IsMinor
        {
            get { return Path.Depth > MaxDepth || Path.IsConstant; }
        }

        // The order in which places are worth being looked at.
        internal int Distance
        {
            get { return Path.Depth + (IsMinor ? Minor : 0); }
        }
    }
}
