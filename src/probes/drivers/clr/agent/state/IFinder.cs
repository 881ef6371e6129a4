using System.Collections.Generic;

namespace Substrate.State
{
    // Finds objects (and types with static fields) where the app's state begins. One per way of holding it.
    interface IFinder
    {
        // What is there now; not what was found by others. Must not run code of the app (no type initialiser, no
        // getter, no enumerator), must not throw, and may be called at every capture: what is costly is looked for only
        // when something was loaded since (`fresh`: look in any case).
        IEnumerable<RootCandidate> Find(bool fresh);
    }
}
