using System;
using System.Collections.Generic;

namespace Substrate.State
{
    // What the last walk showed, for those who call methods on it.
    interface IShown
    {
        // Raised when holders were added or removed.
        int HoldersVersion { get; }

        // Breadth first.
        IList<Holder> Holders { get; }

        // The app's object at a path such as users["odd key"].cart[2], of a static holder its Type; null: not there.
        object Find(string path);

        // For a value that a method returned: a scalar as JSON says it, or a dictionary of dot-notation keys to
        // scalars.
        object Flatten(object value, int maxLeaves);

        // Part of the app rather than of the framework, a known library or this agent.
        bool IsOfApp(Type type);
    }

    // Where objects of one type stand in the state, below the number of a root: `12`, `12.guests[*]`, `7{*}`.
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
