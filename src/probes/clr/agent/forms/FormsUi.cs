using System.Collections.Generic;
using Substrate.Act;
using Substrate.State;

namespace Substrate.Forms
{
    /// <summary>The windows of a program that uses Windows Forms: state and actions.</summary>
    sealed class FormsUi : IRootSource, IActionSource
    {
        /// <summary>Of the window in front; null: none is open, or this program has no windows.</summary>
        internal string WindowTitle { get { return null; } }
        internal string WindowId { get { return null; } }
        public string Scheme { get { return "ui:"; } }
        public IList<Root> Roots(bool fresh) { return new List<Root>(); }
        public IList<ActionInfo> Actions() { return new List<ActionInfo>(); }
        public Outcome Invoke(string binding, Dictionary<string, object> args, int timeoutMs) { throw new NotDispatched("no such window"); }
        internal void Close() { }
    }
}
