using System.Collections.Generic;
using Substrate.Json;

namespace Substrate.State
{
    // What one walk found.
    sealed class CaptureReport
    {
        // The leaf update as JSON: {"kind":"full","paths":[…],"values":[…]} and so on.
        internal readonly JsonWriter Leaves;
        // In the order in which they are read.
        internal readonly IList<RootCandidate> Roots;
        // Leaves seen before any cap.
        internal readonly int RawCount;
        // Share of what was seen that was also read: 1 unless a cap was hit.
        internal readonly double Coverage;
        // More would have taken too much memory.
        internal readonly bool IsFull;

        internal CaptureReport(JsonWriter leaves, IList<RootCandidate> roots, int rawCount, double coverage, bool isFull)
        {
            Leaves = leaves;
            Roots = roots;
            RawCount = rawCount;
            Coverage = coverage;
            IsFull = isFull;
        }
    }
}
