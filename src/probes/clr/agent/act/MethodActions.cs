using System.Collections.Generic;
using Substrate.State;

namespace Substrate.Act
{
    /// <summary>Public methods and properties of the objects that the state shows.</summary>
    sealed class MethodActions : IActionSource
    {
        internal MethodActions(IShown shown) { }
        public string Scheme { get { return "method:"; } }
        public IList<ActionInfo> Actions() { return new List<ActionInfo>(); }
        public Outcome Invoke(string binding, Dictionary<string, object> args, int timeoutMs) { throw new NotDispatched("no such action"); }
    }
}
