using System;

namespace Substrate.State
{
    /// <summary>Where objects of one type stand in the state: `shop`, `shop.guests[*]`, `rates{*}`.</summary>
    sealed class Holder
    {
        /// <summary>Indices are written [*], keys of dictionaries {*}.</summary>
        internal readonly string Shape;
        internal readonly Type Type;
        /// <summary>The type's static methods are meant: Shape is the root of its static fields.</summary>
        internal readonly bool IsStatic;

        internal Holder(string shape, Type type, bool isStatic)
        {
            Shape = shape;
            Type = type;
            IsStatic = isStatic;
        }
    }
}
