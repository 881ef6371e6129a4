using System.Collections.Generic;
using Substrate.Act;

namespace Substrate.Forms
{
    /// <summary>
    /// Does what a person would do with a control, after making sure that it is still the one that was listed. Runs on
    /// the window's thread; handlers of the app run in it.
    /// </summary>
    sealed class Performer
    {
        static readonly Property Visible = new Property("Control", "Visible");
        static readonly Property Enabled = new Property("Control", "Enabled");
        static readonly Property Parent = new Property("Control", "Parent");
        static readonly Property Owner = new Property("ToolStripItem", "Owner");
        static readonly Method CloseForm = new Method("Form", "Close");
        static readonly Method PressItem = new Method("ToolStripItem", "PerformClick");
        static readonly Method PressSplit = new Method("ToolStripSplitButton", "PerformButtonClick");
        static readonly Method PressMenuItem = new Method("MenuItem", "PerformClick");
        readonly Target target;
        readonly Given given;

        internal Performer(Target target, Dictionary<string, object> args)
        {
            this.target = target;
            given = new Given(args);
        }

        internal void Perform()
        {
            object control = target.Control.Target;
            object window = target.Window.Target;
            if (control == null || window == null || !Windows.IsShowing(window)) throw Gone("is not there any more");
            if (Windows.IsBlocked(window, Windows.Showing())) throw Gone("cannot be used while a dialog is open");
            if (target.Deed == Deed.Close)
            {
                CloseForm.Call(control);
                return;
            }
            bool isItem = IsItem(control);
            if (isItem) CheckItem(control);
            else CheckControl(control, window);
            if (target.Deed == Deed.Press) CheckWords(control, isItem);
            if (isItem) Press(control);
            else if (Kinds.IsLarge(target.Kind) || target.Kind == Kind.Combo)
                new RowDeeds(target, given).Perform(control);
            else new ControlDeeds(target, given).Perform(control);
        }

        NotDispatched Gone(string how)
        {
            return new NotDispatched(target.Called + " " + how);
        }

        static bool IsItem(object control)
        {
            return !Library.Class("Control").IsInstanceOfType(control);
        }

        void CheckItem(object item)
        {
            if (!ItemReader.IsThere(item)) throw Gone("is not shown any more");
            if (!ItemReader.IsEnabled(item)) throw Gone("is disabled");
            object strip = Owner.Of(item);
            if (strip != null && !Enabled.Flag(strip)) throw Gone("is disabled");
        }

        void CheckControl(object control, object window)
        {
            // A group of radio buttons can be used as long as one of them can.
            bool isGroup = target.Kind == Kind.Radio && target.Deed == Deed.Choose;
            if (!IsIn(window, control)) throw Gone("is not shown any more");
            if (!Enabled.Flag(control) && !isGroup) throw Gone("is disabled");
        }

        /// <summary>What a designer wrote onto an item without words was not taken for its words.</summary>
        void CheckWords(object control, bool isItem)
        {
            if (isItem && string.IsNullOrEmpty(target.Text)) return;
            string words = isItem ? ItemReader.WordsOf(control) : ControlReader.WordsOf(control);
            if (words != target.Text) throw Gone("now says \"" + words + "\"");
        }

        static bool IsIn(object window, object control)
        {
            if (!Visible.Flag(control)) return false;
            for (object at = control; at != null; at = Parent.Of(at))
                if (ReferenceEquals(at, window)) return true;
            return false;
        }

        void Press(object item)
        {
            if (target.Deed == Deed.Set && ItemReader.IsTicked(item) == given.Flag("value")) return;
            if (Kinds.Of(item) == Kind.Menu && Openings.IsSplit(item)) PressSplit.Call(item);
            else if (Library.Class("ToolStripItem").IsInstanceOfType(item)) PressItem.Call(item);
            else PressMenuItem.Call(item);
        }
    }
}
