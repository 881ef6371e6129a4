using System;
using System.Collections.Generic;

namespace Substrate.Forms
{
    // What was seen of one control, item of a strip or menu; holds nothing of the app. What its facts are called is told
    // in src/probes/insight/screen/screen-facts.ts.
    sealed class Widget
    {
        internal Kind Kind;
        internal readonly Widget Parent;
        internal readonly Memory Memory;
        internal readonly WeakReference Window;
        internal readonly List<Widget> Children = new List<Widget>(0);
        internal int X;
        internal int Y;
        internal int Width;
        internal int Height;
        internal bool IsEnabled = true;
        internal string Text;
        internal string Accessible;
        internal string Tip;
        internal string Border;
        internal string Name;
        internal string Field;
        internal string Type;
        internal object Value;
        internal Rows Rows;
        internal string Range;
        internal bool IsEditable;
        internal bool IsSelected;
        internal bool Submits;
        internal bool Opens;
        internal bool Presses;
        internal int Group;
        internal string ClassName;
        internal bool IsModal;
        internal bool IsBlocked;
        internal bool IsActive;
        internal string Message;

        internal Widget(Kind kind, Widget parent, Memory memory, WeakReference window)
        {
            Kind = kind;
            Parent = parent;
            Memory = memory;
            Window = window;
        }

        // Without its children, but for their numbers.
        internal void Write(Facts facts)
        {
            facts.Json.Append("{\"id\":").Append(Memory.Id);
            facts.Add("role", Kinds.Role(Kind));
            facts.Add("x", X);
            facts.Add("y", Y);
            facts.Add("width", Width);
            facts.Add("height", Height);
            facts.Flag("disabled", !IsEnabled);
            facts.Add("text", Text);
            facts.Add("accessible", Accessible);
            facts.Add("tip", Tip);
            facts.Add("border", Border);
            facts.Add("name", Name);
            facts.Add("field", Field);
            facts.Add("type", Type);
            facts.Add("value", Value);
            facts.Add("range", Range);
            facts.Flag("editable", IsEditable);
            facts.Flag("selected", IsSelected);
            facts.Flag("submits", Submits);
            facts.Flag("opens", Opens);
            facts.Flag("presses", Presses);
            facts.Flag("closes", Kind == Kind.InternalFrame);
            if (Group != 0) facts.Add("group", Group);
            facts.Add("className", ClassName);
            facts.Flag("modal", IsModal);
            facts.Flag("blocked", IsBlocked);
            facts.Flag("active", IsActive);
            facts.Add("message", Message);
            if (Rows != null) Rows.Write(facts);
            if (Children.Count > 0) facts.Add("children", Children.ConvertAll(child => child.Memory.Id));
            facts.Json.Append('}');
        }
    }
}
