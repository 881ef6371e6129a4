using System.Collections.Generic;
using Substrate.Act;

namespace Substrate.Forms
{
    // Does what a person would do with a control, after making sure that it is still the one that the daemon means. Runs on
    // the window's thread; handlers of the app run in it.
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
        internal readonly Widget Widget;
        internal readonly string Operation;
        // For people: `the button "Save"`.
        internal readonly string Called;
        internal readonly UserInput Input;
        // What must stand on it: with other words it would be another control; null: that plays no role.
        readonly string words;

        internal Performer(Widget widget, Dictionary<string, object> request, Dictionary<string, object> args)
        {
            Widget = widget;
            Operation = request["operation"] as string;
            Called = request["called"] as string;
            words = request["words"] as string;
            Input = new UserInput(args);
        }

        internal void Perform()
        {
            object control = Widget.Memory.Control.Target;
            object window = Widget.Window.Target;
            if (control == null || window == null || !Windows.IsShowing(window)) throw Gone("is not there any more");
            if (Windows.IsBlocked(window, Windows.Showing())) throw Gone("cannot be used while a dialog is open");
            if (Operation == "close")
            {
                CloseForm.Call(control);
                return;
            }
            bool isItem = IsItem(control);
            if (isItem) CheckItem(control);
            else CheckControl(control, window);
            if (words != null) CheckWords(control, isItem);
            if (isItem) Press(control);
            else if (Kinds.HasRows(Widget.Kind) || Widget.Kind == Kind.Combo)
                new RowUse(this).Perform(control);
            else new ControlUse(this).Perform(control);
        }

        internal NotDispatched Gone(string how)
        {
            return new NotDispatched(Called + " " + how);
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
            bool isGroup = Widget.Kind == Kind.Radio && Operation == "choose";
            if (!IsIn(window, control)) throw Gone("is not shown any more");
            if (!Enabled.Flag(control) && !isGroup) throw Gone("is disabled");
        }

        // What a designer wrote onto an item without words was not taken for its words.
        void CheckWords(object control, bool isItem)
        {
            if (isItem && words.Length == 0) return;
            string now = isItem ? ItemReader.WordsOf(control) : ControlReader.WordsOf(control);
            if (now != words) throw Gone("now says \"" + now + "\"");
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
            if (Operation == "set" && ItemReader.IsTicked(item) == Input.Flag("value")) return;
            if (Kinds.Of(item) == Kind.Menu && Openings.IsSplit(item)) PressSplit.Call(item);
            else if (Library.Class("ToolStripItem").IsInstanceOfType(item)) PressItem.Call(item);
            else PressMenuItem.Call(item);
        }
    }
}
