using System;

namespace Substrate.State
{
    // Where objects of one type stand in the state: `shop`, `shop.guests[*]`, `rates{*}`.
    sealed class Holder
    {
        // Indices are written [*], keys of dictionaries {*}.
        internal readonly string Shape;
        internal readonly Type Type;
        // The type's static methods are meant: Shape is the root of its static fields.
        internal readonly bool IsStatic;

        internal Holder(string shape, Type type, bool isStatic)
        {
            Shape = shape;
            Type = type;
            IsStatic = isStatic;
        }
    }
}
