using System;
using System.Collections;
using Substrate.Act;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Uses a single control as a person would: the app gets the same events.
    sealed class ControlUse
    {
        const int Enter = 13;
        const int Indeterminate = 2;
        readonly Performer asked;
        readonly UserInput input;

        internal ControlUse(Performer asked)
        {
            this.asked = asked;
            input = asked.Input;
        }

        internal void Perform(object control)
        {
            switch (asked.Operation)
            {
                case "press": Press(control); return;
                case "submit": Submit(control); return;
                case "choose": Method.Call(RadioBeside(control), "RadioButton.PerformClick"); return;
                default: SetValue(control); return;
            }
        }

        void Press(object control)
        {
            if (asked.Widget.Kind == Kind.Radio) Method.Call(control, "RadioButton.PerformClick");
            else if (asked.Widget.Kind == Kind.Link) Follow(control);
            else if (Library.IsOf("Button", control)) Method.Call(control, "Button.PerformClick");
            else Method.Call(control, "Control.OnClick", EventArgs.Empty);
        }

        static void Follow(object label)
        {
            IList links = List(label, "LinkLabel.Links");
            object link = links == null || links.Count == 0 ? null : links[0];
            Method.Call(label, "LinkLabel.OnLinkClicked", DoubleClicks.Make("LinkLabelLinkClickedEventArgs", link));
        }

        // Raises the event for its handlers; the text of the control does not change.
        internal static void Submit(object control)
        {
            object down = DoubleClicks.Make("KeyEventArgs", Enter);
            Method.Call(control, "Control.OnKeyDown", down);
            Method.Call(control, "Control.OnKeyPress", DoubleClicks.Make("KeyPressEventArgs", '\r'));
            Method.Call(control, "Control.OnKeyUp", DoubleClicks.Make("KeyEventArgs", Enter));
        }

        void SetValue(object control)
        {
            switch (asked.Widget.Kind)
            {
                case Kind.Check: Switch(control); break;
                case Kind.Slider:
                    int min = Number(control, "TrackBar.Minimum");
                    decimal to = input.Number("value", min, Number(control, "TrackBar.Maximum"));
                    Set(control, "TrackBar.Value", (int)to);
                    Method.Call(control, "TrackBar.OnScroll", EventArgs.Empty);
                    break;
                case Kind.Spinner: SetSpinner(control); break;
                case Kind.Date: SetDate(control); break;
                default: Write(control); break;
            }
            WriteBindings(control);
        }

        void Switch(object box)
        {
            bool isOn = input.Flag("value");
            if (IsOn(box, isOn)) return;
            Method.Call(box, "Control.OnClick", EventArgs.Empty);
            if (IsOn(box, isOn)) return;
            // With three states the second click may lead to the wanted one: it is set at once.
            Set(box, "CheckBox.Checked", !isOn);
            Set(box, "CheckBox.Checked", isOn);
        }

        // The indeterminate state counts as checked, too.
        static bool IsOn(object box, bool isOn)
        {
            return Flag(box, "CheckBox.Checked") == isOn && Number(box, "CheckBox.CheckState") != Indeterminate;
        }

        void Write(object box)
        {
            if (Flag(box, "TextBoxBase.ReadOnly")) throw asked.Gone("cannot be written");
            Set(box, "Control.Text", input.Text("value"));
            Set(box, "TextBoxBase.Modified", true);
        }

        void SetSpinner(object spinner)
        {
            object min = Of(spinner, "NumericUpDown.Minimum");
            object max = Of(spinner, "NumericUpDown.Maximum");
            if (min is decimal && max is decimal)
                Set(spinner, "NumericUpDown.Value", input.Number("value", (decimal)min, (decimal)max));
            else Set(spinner, "Control.Text", input.Text("value"));
        }

        void SetDate(object picker)
        {
            DateTime date = input.Date("value");
            if (Of(picker, "DateTimePicker.Value") == null)
            {
                Method.Call(picker, "MonthCalendar.SetDate", date);
                return;
            }
            var min = (DateTime)Of(picker, "DateTimePicker.MinDate");
            var max = (DateTime)Of(picker, "DateTimePicker.MaxDate");
            if (date < min || date > max)
                throw new BadArgument("value must be from " + Words.Date(min) + " to " + Words.Date(max));
            Set(picker, "DateTimePicker.Value", date);
        }

        // The same happens when the field loses the focus.
        static void WriteBindings(object control)
        {
            var bindings = Of(control, "Control.DataBindings") as ICollection;
            if (bindings == null || bindings.Count == 0) return;
            foreach (object binding in bindings) Method.Call(binding, "Binding.WriteValue");
        }

        object RadioBeside(object one)
        {
            string wanted = input.Text("value");
            IList all = List(Of(one, "Control.Parent"), "Control.Controls");
            for (int at = 0; all != null && at < all.Count; at++)
            {
                bool isRadio = Kinds.Of(all[at]) == Kind.Radio && Flag(all[at], "Control.Enabled");
                if (isRadio && ControlReader.WordsOf(all[at]) == wanted) return all[at];
            }
            throw UserInput.Unknown(wanted);
        }
    }
}
