using System;

namespace Substrate.Roots
{
    /// <summary>Where a runtime notes that the initialiser of a type has run.</summary>
    interface IMark
    {
        /// <summary>False too where it cannot be told.</summary>
        bool IsSet(OwnMemory memory, Type type);
    }
}
