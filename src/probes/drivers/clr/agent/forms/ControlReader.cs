using System;
using System.Globalization;
using System.Runtime.CompilerServices;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Reads controls: their positions, names, texts and values. Runs on the window's thread.
    static class ControlReader
    {
        // Replaces a value that must not be read.
        const int Indeterminate = 2;
        const int MaxRead = 200000;

        // A text box that hides its input is a kind of its own: its text is never read.
        internal static Kind KindOf(object control)
        {
            Kind kind = Kinds.Of(control);
            bool isHidden = kind == Kind.Text && Hides(control);
            return isHidden ? Kind.Password : kind;
        }

        // A control whose properties cannot be read is treated as hiding its text.
        static bool Hides(object control)
        {
            bool isMasked = Library.IsOf("MaskedTextBox", control);
            if (!isMasked && !Library.IsOf("TextBox", control)) return false;
            object isSystem =
                Of(control, isMasked ? "MaskedTextBox.UseSystemPasswordChar" : "TextBox.UseSystemPasswordChar");
            object mask = Of(control, isMasked ? "MaskedTextBox.PasswordChar" : "TextBox.PasswordChar");
            return !(isSystem is bool) || (bool)isSystem || !(mask is char) || (char)mask != '\0';
        }

        // `item`: the item of a strip that hosts the control; the app's facts about it count for the control.
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
                    if (widget.Kind == Kind.Password) widget.Flag("secret", true);
                    else widget.Fact("value", TextOf(control));
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

        // False if it has no number.
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

        // A very long text is not copied at each snapshot.
        static object TextOf(object box)
        {
            int length = Number(box, "TextBoxBase.TextLength");
            if (length <= MaxRead) return Words.Scalar(Of(box, "Control.Text"));
            return "[text of " + length.ToString(CultureInfo.InvariantCulture) + " characters]";
        }
    }
}
