using System.Collections.Generic;

namespace Substrate.Act
{
    /// <summary>A family of actions: methods of objects, controls of windows.</summary>
    interface IActionSource
    {
        /// <summary>How its bindings begin: `method:`, `ui:`.</summary>
        string Scheme { get; }

        /// <summary>
        /// Called after each capture; the same list as before (by reference) when nothing is new. The most useful first: the
        /// list may be cut.
        /// </summary>
        IList<ActionInfo> Actions();

        /// <summary>
        /// Runs on a thread of its own. Values of `args` are as JSON gives them: null, bool, long, double, decimal, string,
        /// List&lt;object&gt;, Dictionary&lt;string, object&gt;. Throws BadArgument or NotDispatched when nothing was called; what the app
        /// throws is an Outcome.
        /// </summary>
        Outcome Invoke(string binding, Dictionary<string, object> args, Limit limit);
    }
}
