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

        internal CaptureReport(JsonWriter leaves, IList<Root> roots, int rawCount, double coverage)
        {
            Leaves = leaves;
            Roots = roots;
            RawCount = rawCount;
            Coverage = coverage;
        }
    }
}
