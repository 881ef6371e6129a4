using System;
using System.Collections;
using Substrate.Act;

namespace Substrate.Forms
{
    // Uses a single control as a person would: the app hears of it by the same events.
    sealed class ControlUse
    {
        const int Enter = 13;
        const int Indeterminate = 2;
        static readonly Property Text = new Property("Control", "Text");
        static readonly Property Modified = new Property("TextBoxBase", "Modified");
        static readonly Property ReadOnly = new Property("TextBoxBase", "ReadOnly");
        static readonly Property Checked = new Property("CheckBox", "Checked");
        static readonly Property CheckState = new Property("CheckBox", "CheckState");
        static readonly Property Number = new Property("NumericUpDown", "Value");
        static readonly Property NumberMin = new Property("NumericUpDown", "Minimum");
        static readonly Property NumberMax = new Property("NumericUpDown", "Maximum");
        static readonly Property SliderValue = new Property("TrackBar", "Value");
        static readonly Property SliderMin = new Property("TrackBar", "Minimum");
        static readonly Property SliderMax = new Property("TrackBar", "Maximum");
        static readonly Property Date = new Property("DateTimePicker", "Value");
        static readonly Property DateMin = new Property("DateTimePicker", "MinDate");
        static readonly Property DateMax = new Property("DateTimePicker", "MaxDate");
        static readonly Property Controls = new Property("Control", "Controls");
        static readonly Property Parent = new Property("Control", "Parent");
        static readonly Property Enabled = new Property("Control", "Enabled");
        static readonly Property Bindings = new Property("Control", "DataBindings");
        static readonly Property Links = new Property("LinkLabel", "Links");
        static readonly Method SetDay = new Method("MonthCalendar", "SetDate", "DateTime");
        static readonly Method Click = new Method("Control", "OnClick", "EventArgs");
        static readonly Method PressButton = new Method("Button", "PerformClick");
        static readonly Method PressRadio = new Method("RadioButton", "PerformClick");
        static readonly Method Scroll = new Method("TrackBar", "OnScroll", "EventArgs");
        static readonly Method LinkClicked = new Method("LinkLabel", "OnLinkClicked", "LinkLabelLinkClickedEventArgs");
        static readonly Method KeyDown = new Method("Control", "OnKeyDown", "KeyEventArgs");
        static readonly Method KeyPress = new Method("Control", "OnKeyPress", "KeyPressEventArgs");
        static readonly Method KeyUp = new Method("Control", "OnKeyUp", "KeyEventArgs");
        static readonly Method WriteBack = new Method("Binding", "WriteValue");
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
                case "choose": PressRadio.Call(RadioBeside(control)); return;
                default: Set(control); return;
            }
        }

        void Press(object control)
        {
            if (asked.Widget.Kind == Kind.Radio) PressRadio.Call(control);
            else if (asked.Widget.Kind == Kind.Link) Follow(control);
            else if (Library.Class("Button").IsInstanceOfType(control)) PressButton.Call(control);
            else Click.Call(control, EventArgs.Empty);
        }

        static void Follow(object label)
        {
            IList links = Links.List(label);
            object link = links == null || links.Count == 0 ? null : links[0];
            LinkClicked.Call(label, Openings.Make("LinkLabelLinkClickedEventArgs", link));
        }

        // To those who listen; the text of the control does not change by it.
        internal static void Submit(object control)
        {
            object down = Openings.Make("KeyEventArgs", Enter);
            KeyDown.Call(control, down);
            KeyPress.Call(control, Openings.Make("KeyPressEventArgs", '\r'));
            KeyUp.Call(control, Openings.Make("KeyEventArgs", Enter));
        }

        void Set(object control)
        {
            switch (asked.Widget.Kind)
            {
                case Kind.Check: Switch(control); break;
                case Kind.Slider:
                    decimal to = input.Number("value", (int)SliderMin.Of(control), (int)SliderMax.Of(control));
                    SliderValue.Set(control, (int)to);
                    Scroll.Call(control, EventArgs.Empty);
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
            Click.Call(box, EventArgs.Empty);
            if (IsOn(box, isOn)) return;
            // Of three states the second click may lead to the wanted one: it is taken at once.
            Checked.Set(box, !isOn);
            Checked.Set(box, isOn);
        }

        // What is neither on nor off counts as checked, too.
        static bool IsOn(object box, bool isOn)
        {
            return Checked.Flag(box) == isOn && CheckState.Number(box) != Indeterminate;
        }

        void Write(object box)
        {
            if (ReadOnly.Flag(box)) throw asked.Gone("cannot be written");
            Text.Set(box, input.Text("value"));
            Modified.Set(box, true);
        }

        void SetSpinner(object spinner)
        {
            object min = NumberMin.Of(spinner);
            object max = NumberMax.Of(spinner);
            if (min is decimal && max is decimal)
                Number.Set(spinner, input.Number("value", (decimal)min, (decimal)max));
            else Text.Set(spinner, input.Text("value"));
        }

        void SetDate(object picker)
        {
            DateTime date = input.Date("value");
            if (Date.Of(picker) == null)
            {
                SetDay.Call(picker, date);
                return;
            }
            if (date < (DateTime)DateMin.Of(picker) || date > (DateTime)DateMax.Of(picker))
                throw new BadArgument("value must be from " + Words.Date((DateTime)DateMin.Of(picker)) + " to "
                    + Words.Date((DateTime)DateMax.Of(picker)));
            Date.Set(picker, date);
        }

        // As leaving the field would.
        static void WriteBindings(object control)
        {
            var bindings = Bindings.Of(control) as ICollection;
            if (bindings == null || bindings.Count == 0) return;
            foreach (object binding in bindings) WriteBack.Call(binding);
        }

        object RadioBeside(object one)
        {
            string wanted = input.Text("value");
            IList all = Controls.List(Parent.Of(one));
            for (int at = 0; all != null && at < all.Count; at++)
            {
                bool isRadio = Kinds.Of(all[at]) == Kind.Radio && Enabled.Flag(all[at]);
                if (isRadio && ControlReader.WordsOf(all[at]) == wanted) return all[at];
            }
            throw UserInput.Unknown(wanted);
        }
    }
}
