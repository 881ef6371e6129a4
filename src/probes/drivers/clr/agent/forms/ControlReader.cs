using System;
using System.Globalization;
using System.Runtime.CompilerServices;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Reads controls: where they are, what they are called, their words and values. Runs on the window's thread.
    static class ControlReader
    {
        // What stands for what must not be read.
        const string Redacted = "[redacted]";
        const int Indeterminate = 2;
        const int MaxRead = 200000;

        // A text box that hides what is written into it is one of its own kind: its text is never asked for.
        internal static Kind KindOf(object control)
        {
            Kind kind = Kinds.Of(control);
            bool isHidden = kind == Kind.Text && Hides(control);
            return isHidden ? Kind.Password : kind;
        }

        // One that does not tell is taken for one that hides it.
        static bool Hides(object control)
        {
            bool isMasked = Library.IsOf("MaskedTextBox", control);
            if (!isMasked && !Library.IsOf("TextBox", control)) return false;
            object isSystem =
                Of(control, isMasked ? "MaskedTextBox.UseSystemPasswordChar" : "TextBox.UseSystemPasswordChar");
            object letter = Of(control, isMasked ? "MaskedTextBox.PasswordChar" : "TextBox.PasswordChar");
            return !(isSystem is bool) || (bool)isSystem || !(letter is char) || (char)letter != '\0';
        }

        // `item`: the item of a strip in which the control is; what the app says of it, it says of the control.
        internal static void Describe(object control, object item, Widget widget, FieldNames fields)
        {
            bool isEnabled = Flag(control, "Control.Enabled") && (item == null || ItemReader.IsEnabled(item));
            widget.Flag("disabled", !isEnabled);
            string name = Text(item, "ToolStripItem.Name") ?? Text(control, "Control.Name");
            widget.Fact("name", widget.Kind == Kind.StatusBar ? "status" : name);
            widget.Fact("accessible",
                Text(item, "ToolStripItem.AccessibleName") ?? Text(control, "Control.AccessibleName"));
            widget.Fact("field", fields.Of(item) ?? fields.Of(control));
            widget.Fact("tip", ItemReader.TipOf(item) ?? fields.TipFor(control));
            if (!Library.Declares(control.GetType())) widget.Fact("type", control.GetType().Name);
        }

        internal static string WordsOf(object control) =>
            Words.Shorten(Words.WithoutMnemonic(Text(control, "Control.Text")) ?? "", Words.MaxText);

        internal static void Read(object control, Widget widget)
        {
            switch (widget.Kind)
            {
                case Kind.Label: case Kind.Button: case Kind.Link: case Kind.Check: case Kind.Radio:
                    widget.Fact("text", WordsOf(control));
                    ReadTick(control, widget);
                    break;
                case Kind.InternalFrame:
                    widget.Fact("text", Text(control, "Control.Text") ?? "");
                    break;
                case Kind.Group:
                    if (Library.IsOf("GroupBox", control)) widget.Fact("border", WordsOf(control));
                    break;
                case Kind.Text: case Kind.Password:
                    widget.Fact("value", widget.Kind == Kind.Password ? Redacted : TextOf(control));
                    widget.Flag("editable", !Flag(control, "TextBoxBase.ReadOnly"));
                    break;
                case Kind.Slider:
                    Read(control, widget, "TrackBar.Value", "TrackBar.Minimum", "TrackBar.Maximum");
                    widget.Flag("editable", true);
                    break;
                case Kind.Progress:
                    Read(control, widget, "ProgressBar.Value", "ProgressBar.Minimum", "ProgressBar.Maximum");
                    break;
                case Kind.Spinner:
                    bool isNumber =
                        Read(control, widget, "NumericUpDown.Value", "NumericUpDown.Minimum", "NumericUpDown.Maximum");
                    widget.Flag("editable", isNumber || !Flag(control, "UpDownBase.ReadOnly"));
                    if (!isNumber) widget.Fact("value", Words.Scalar(Text(control, "Control.Text")));
                    break;
                case Kind.Date:
                    object date = Of(control, "DateTimePicker.Value") ?? Of(control, "MonthCalendar.SelectionStart");
                    widget.Fact("value", Words.Scalar(date));
                    break;
            }
        }

        static void ReadTick(object control, Widget widget)
        {
            if (widget.Kind == Kind.Check)
            {
                bool isBetween = Number(control, "CheckBox.CheckState") == Indeterminate;
                widget.Fact("value", isBetween ? "indeterminate" : (object)Flag(control, "CheckBox.Checked"));
            }
            if (widget.Kind != Kind.Radio) return;
            widget.Fact("value", Flag(control, "RadioButton.Checked"));
            widget.Flag("selected", Flag(control, "RadioButton.Checked"));
            widget.Fact("group", RuntimeHelpers.GetHashCode(Of(control, "Control.Parent")) & int.MaxValue | 1);
        }

        // False: it has no number.
        static bool Read(object control, Widget widget, string valueName, string minName, string maxName)
        {
            object value = Words.Scalar(Of(control, valueName));
            object min = Of(control, minName);
            object max = Of(control, maxName);
            widget.Fact("value", value);
            if (min != null && max != null)
                widget.Fact("range", string.Format(CultureInfo.InvariantCulture, "{0} to {1}", min, max));
            return value != null;
        }

        // A text that goes on and on is not copied at each look.
        static object TextOf(object box)
        {
            int length = Number(box, "TextBoxBase.TextLength");
            if (length <= MaxRead) return Words.Scalar(Of(box, "Control.Text"));
            return "[text of " + length.ToString(CultureInfo.InvariantCulture) + " characters]";
        }
    }
}
