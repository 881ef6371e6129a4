using System.Collections.Generic;

namespace Substrate.Act
{
    // A family of actions: methods of objects, controls of windows.
    interface IActionSource
    {
        // How its bindings begin: `method:`, `ui:`.
        string Scheme { get; }

        // Called after each capture; the same list as before (by reference) when nothing is new. The most useful first:
        // the list may be cut.
        IList<ActionInfo> Actions();

        // Runs on a thread of its own. Values of `args` are as JSON gives them: null, bool, long, double, decimal,
        // string, List<object>, Dictionary<string, object>. Throws BadArgument or NotDispatched when nothing was
        // called; what the app throws is an Outcome.
        Outcome Invoke(string binding, Dictionary<string, object> args, Limit limit);
    }
}
