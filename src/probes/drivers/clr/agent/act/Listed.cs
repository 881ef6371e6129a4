using System;
using System.Collections.Generic;

namespace Substrate.Act
{
    /// <summary>The methods of a type, as far as they could be looked at.</summary>
    sealed class Listed
    {
        internal readonly List<Signature> Signatures;
        /// <summary>False: some mention types of assemblies that were not loaded then.</summary>
        internal readonly bool IsWhole;
        /// <summary>By whom it was decided what is loaded.</summary>
        internal readonly WeakReference Tokens;

        internal Listed(List<Signature> signatures, bool isWhole, Tokens tokens)
        {
            Signatures = signatures;
            IsWhole = isWhole;
            Tokens = new WeakReference(tokens);
        }
    }
}
