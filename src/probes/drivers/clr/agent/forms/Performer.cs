using System.Collections.Generic;
using Substrate.Act;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Uses a control as a person would, after checking that it is still the intended one. Runs on the window's thread,
    // and so do the app's handlers.
    sealed class Performer
    {
        internal readonly Widget Widget;
        internal readonly string Operation;
        // The control in words for people: `the button "Save"`.
        internal readonly string Called;
        internal readonly UserInput Input;
        // The text that the control must show: with another text it would be another control; null if any will do.
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
                Method.Call(control, "Form.Close");
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

        internal NotDispatched Gone(string how) => new NotDispatched(Called + " " + how);

        static bool IsItem(object control) => !Library.IsOf("Control", control);

        void CheckItem(object item)
        {
            if (!ItemReader.IsThere(item)) throw Gone("is not shown any more");
            if (!ItemReader.IsEnabled(item)) throw Gone("is disabled");
            object strip = Of(item, "ToolStripItem.Owner");
            if (strip != null && !Flag(strip, "Control.Enabled")) throw Gone("is disabled");
        }

        void CheckControl(object control, object window)
        {
            // A group of radio buttons can be used as long as one of them can.
            bool isGroup = Widget.Kind == Kind.Radio && Operation == "choose";
            if (!IsIn(window, control)) throw Gone("is not shown any more");
            if (!Flag(control, "Control.Enabled") && !isGroup) throw Gone("is disabled");
        }

        // A designer's default text on an item was not reported as its text.
        void CheckWords(object control, bool isItem)
        {
            if (isItem && words.Length == 0) return;
            string now = isItem ? ItemReader.WordsOf(control) : ControlReader.WordsOf(control);
            if (now != words) throw Gone("now says \"" + now + "\"");
        }

        static bool IsIn(object window, object control)
        {
            if (!Flag(control, "Control.Visible")) return false;
            for (object at = control; at != null; at = Of(at, "Control.Parent"))
                if (ReferenceEquals(at, window)) return true;
            return false;
        }

        void Press(object item)
        {
            if (Operation == "set" && ItemReader.IsTicked(item) == Input.Flag("value")) return;
            bool isOnStrip = Library.IsOf("ToolStripItem", item);
            Method.Call(item, ItemReader.IsSplit(item) ? "ToolStripSplitButton.PerformButtonClick"
                : isOnStrip ? "ToolStripItem.PerformClick" : "MenuItem.PerformClick");
        }
    }
}
