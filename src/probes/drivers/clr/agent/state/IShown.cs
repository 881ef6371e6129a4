using System;
using System.Collections.Generic;

namespace Substrate.State
{
    /// <summary>What the last walk showed, for those who call methods on it.</summary>
    interface IShown
    {
        /// <summary>Raised when holders were added or removed.</summary>
        int HoldersVersion { get; }

        /// <summary>Breadth first.</summary>
        IList<Holder> Holders { get; }

        /// <summary>
        /// The app's object at a path such as users["odd key"].cart[2], of a static holder its Type; null: not there.
        /// </summary>
        object Find(string path);

        /// <summary>
        /// For a value that a method returned: a scalar as JSON says it, or a dictionary of dot-notation keys to
        /// scalars.
        /// </summary>
        object Flatten(object value, int maxLeaves);

        /// <summary>Part of the app rather than of the framework, a known library or this agent.</summary>
        bool IsOfApp(Type type);
    }
}
