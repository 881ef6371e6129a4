using System;
using System.Collections.Generic;

namespace Substrate.State
{
    // The result of the last walk, for callers of methods.
    interface IShown
    {
        // Incremented when holders were added or removed.
        int HoldersVersion { get; }

        // Breadth first.
        IList<Holder> Holders { get; }

        // The app's object at a path such as users["odd key"].cart[2], for a static holder its Type; null if there is
        // none.
        object Find(string path);

        // Flattens the return value of a method: a scalar as JSON, or a dictionary of dot-notation keys to scalars.
        object Flatten(object value, int maxLeaves);

        // True for the app: not the framework, a known library or this agent.
        bool IsOfApp(Type type);
    }

    // A place of objects of one type in the state, below the number of a root: `12`, `12.guests[*]`, `7{*}`.
    sealed class Holder
    {
        // Indices are written [*], keys of dictionaries {*}.
        internal readonly string Shape;
        internal readonly Type Type;
        // True for the type's static methods: Shape is the root of its static fields.
        internal readonly bool IsStatic;

        internal Holder(string shape, Type type, bool isStatic)
        {
            Shape = shape;
            Type = type;
            IsStatic = isStatic;
        }
    }
}
