using System;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Substrate.Forms
{
    // Reads controls: where they are, what they are called, their words and values. Runs on the window's thread.
    static class ControlReader
    {
        // What stands for what must not be read.
        const string Redacted = "[redacted]";
        const int Indeterminate = 2;
        const int MaxRead = 200000;
        static readonly Property Name = new Property("Control", "Name");
        static readonly Property Enabled = new Property("Control", "Enabled");
        static readonly Property AccessibleName = new Property("Control", "AccessibleName");
        static readonly Property Left = new Property("Control", "Left");
        static readonly Property Top = new Property("Control", "Top");
        static readonly Property Width = new Property("Control", "Width");
        static readonly Property Height = new Property("Control", "Height");
        static readonly Property Text = new Property("Control", "Text");
        static readonly Property TextLength = new Property("TextBoxBase", "TextLength");
        static readonly Property ReadOnly = new Property("TextBoxBase", "ReadOnly");
        static readonly Property SystemPassword = new Property("TextBox", "UseSystemPasswordChar");
        static readonly Property PasswordChar = new Property("TextBox", "PasswordChar");
        static readonly Property MaskedSystemPassword = new Property("MaskedTextBox", "UseSystemPasswordChar");
        static readonly Property MaskedPasswordChar = new Property("MaskedTextBox", "PasswordChar");
        static readonly Property Checked = new Property("CheckBox", "Checked");
        static readonly Property CheckState = new Property("CheckBox", "CheckState");
        static readonly Property RadioChecked = new Property("RadioButton", "Checked");
        static readonly Property Parent = new Property("Control", "Parent");
        static readonly Property SliderValue = new Property("TrackBar", "Value");
        static readonly Property SliderMin = new Property("TrackBar", "Minimum");
        static readonly Property SliderMax = new Property("TrackBar", "Maximum");
        static readonly Property Number = new Property("NumericUpDown", "Value");
        static readonly Property NumberMin = new Property("NumericUpDown", "Minimum");
        static readonly Property NumberMax = new Property("NumericUpDown", "Maximum");
        static readonly Property UpDownReadOnly = new Property("UpDownBase", "ReadOnly");
        static readonly Property Date = new Property("DateTimePicker", "Value");
        static readonly Property SelectedDay = new Property("MonthCalendar", "SelectionStart");
        static readonly Property ProgressValue = new Property("ProgressBar", "Value");
        static readonly Property ProgressMin = new Property("ProgressBar", "Minimum");
        static readonly Property ProgressMax = new Property("ProgressBar", "Maximum");

        // A text box that hides what is written into it is one of its own kind: its text is never asked for.
        internal static Kind KindOf(object control)
        {
            Kind kind = Kinds.Of(control);
            return kind == Kind.Text && HidesText(control) ? Kind.Password : kind;
        }

        internal static bool HidesText(object control)
        {
            return Hides("TextBox", control, SystemPassword, PasswordChar)
                || Hides("MaskedTextBox", control, MaskedSystemPassword, MaskedPasswordChar);
        }

        // One that does not tell is taken for one that hides it.
        static bool Hides(string type, object control, Property asSystem, Property byLetter)
        {
            if (!Library.Class(type).IsInstanceOfType(control)) return false;
            object isSystem = asSystem.Of(control);
            object letter = byLetter.Of(control);
            return !(isSystem is bool) || (bool)isSystem || !(letter is char) || (char)letter != '\0';
        }

        internal static void Place(object control, Widget widget)
        {
            widget.Width = Width.Number(control);
            widget.Height = Height.Number(control);
            widget.X = Left.Number(control);
            widget.Y = Top.Number(control);
        }

        internal static void Describe(object control, Widget widget, FieldNames fields)
        {
            widget.IsEnabled = Enabled.Flag(control);
            widget.Name = Name.Text(control);
            widget.Accessible = AccessibleName.Text(control);
            widget.Field = fields.Of(control);
            widget.Tip = fields.TipFor(control);
            Type type = control.GetType();
            widget.Type = Library.Declares(type) ? null : type.Name;
        }

        internal static string WordsOf(object control)
        {
            return Words.Shorten(Words.WithoutMnemonic(Text.Text(control)) ?? "", Words.MaxText);
        }

        internal static void Read(object control, Widget widget)
        {
            switch (widget.Kind)
            {
                case Kind.Label: case Kind.Button: case Kind.Link:
                    widget.Text = WordsOf(control);
                    break;
                case Kind.InternalFrame:
                    widget.Text = Text.Text(control) ?? "";
                    break;
                case Kind.Group:
                    widget.Border = IsBox(control) ? WordsOf(control) : null;
                    break;
                case Kind.Check:
                    widget.Text = WordsOf(control);
                    bool isBetween = CheckState.Number(control) == Indeterminate;
                    widget.Value = isBetween ? "indeterminate" : (object)Checked.Flag(control);
                    break;
                case Kind.Radio:
                    widget.Text = WordsOf(control);
                    widget.IsSelected = RadioChecked.Flag(control);
                    widget.Value = widget.IsSelected;
                    widget.Group = RuntimeHelpers.GetHashCode(Parent.Of(control)) & int.MaxValue | 1;
                    break;
                case Kind.Text: case Kind.Password:
                    widget.Value = widget.Kind == Kind.Password ? Redacted : TextOf(control);
                    widget.IsEditable = !ReadOnly.Flag(control);
                    widget.Submits = Listeners.HearKeys(control, "Control");
                    break;
                default:
                    ReadNumber(control, widget);
                    break;
            }
        }

        // A text that goes on and on is not copied at each look.
        static object TextOf(object box)
        {
            int length = TextLength.Number(box);
            if (length <= MaxRead) return Words.Scalar(Text.Of(box));
            return "[text of " + length.ToString(CultureInfo.InvariantCulture) + " characters]";
        }

        static bool IsBox(object control)
        {
            Type box = Library.Class("GroupBox");
            return box != null && box.IsInstanceOfType(control);
        }

        static void ReadNumber(object control, Widget widget)
        {
            object value = null;
            if (widget.Kind == Kind.Slider)
            {
                value = SliderValue.Of(control);
                widget.Range = Range(SliderMin.Of(control), SliderMax.Of(control));
                widget.IsEditable = true;
            }
            else if (widget.Kind == Kind.Progress)
            {
                value = ProgressValue.Of(control);
                widget.Range = Range(ProgressMin.Of(control), ProgressMax.Of(control));
            }
            else if (widget.Kind == Kind.Spinner)
            {
                value = Number.Of(control) ?? Text.Text(control);
                widget.Range = Range(NumberMin.Of(control), NumberMax.Of(control));
                widget.IsEditable = value is decimal || !UpDownReadOnly.Flag(control);
            }
            else if (widget.Kind == Kind.Date) value = Date.Of(control) ?? SelectedDay.Of(control);
            widget.Value = Words.Scalar(value);
        }

        static string Range(object min, object max)
        {
            if (min == null || max == null) return null;
            return string.Format(CultureInfo.InvariantCulture, "{0} to {1}", min, max);
        }
    }
}
