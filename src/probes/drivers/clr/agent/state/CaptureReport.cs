using System.Collections.Generic;
using Substrate.Json;

namespace Substrate.State
{
    /// <summary>What one walk found.</summary>
    sealed class CaptureReport
    {
        /// <summary>The leaf update as JSON: {"kind":"full","paths":[…],"values":[…]} and so on.</summary>
        internal readonly JsonWriter Leaves;
        internal readonly IList<Root> Roots;
        /// <summary>Leaves seen before any cap.</summary>
        internal readonly int RawCount;
        /// <summary>Share of what was seen that was also read: 1 unless a cap was hit.</summary>
        internal readonly double Coverage;
        /// <summary>More would have taken too much memory.</summary>
        internal readonly bool IsFull;

        internal CaptureReport(JsonWriter leaves, IList<Root> roots, int rawCount, double coverage, bool isFull)
        {
            Leaves = leaves;
            Roots = roots;
            RawCount = rawCount;
            Coverage = coverage;
            IsFull = isFull;
        }
    }
}
