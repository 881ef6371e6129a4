using System.Collections.Generic;

namespace Substrate.State
{
    // Finds places where state begins, and gives them names: windows.
    interface IRootSource
    {
        // The roots as they are now. Called at each capture, so it must be cheap when nothing is new; never throws,
        // never waits longer than a few milliseconds for the app (then the last answer stands). `fresh`: look again
        // even if the last look was a moment ago. Must not keep objects of the app alive between captures.
        IList<Root> Roots(bool fresh);
    }
}
