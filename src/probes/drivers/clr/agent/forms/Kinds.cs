using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Substrate.Forms
{
    /// <summary>
    /// Tells what a control is by the nearest class of Windows Forms among its classes. The names are the same in all
    /// versions.
    /// </summary>
    static class Kinds
    {
        const string Namespace = "System.Windows.Forms.";
        static readonly Dictionary<string, Kind> ByClass = new Dictionary<string, Kind>();
        /// <summary>Types of the app are not kept alive by it.</summary>
        static readonly ConditionalWeakTable<Type, object> Known = new ConditionalWeakTable<Type, object>();

        static Kinds()
        {
            Name(Kind.Group, "Control");
            Name(Kind.InternalFrame, "Form");
            Name(Kind.Strip, "ToolStrip");
            Name(Kind.StatusBar, "StatusBar");
            Name(Kind.Menu, "ToolStripDropDownItem", "MenuItem");
            Name(Kind.Label, "Label", "ToolStripLabel");
            Name(Kind.Link, "LinkLabel");
            Name(Kind.Button, "ButtonBase", "ToolStripButton");
            Name(Kind.Check, "CheckBox");
            Name(Kind.Radio, "RadioButton");
            Name(Kind.Text, "TextBoxBase");
            Name(Kind.Combo, "ComboBox");
            Name(Kind.List, "ListBox");
            Name(Kind.ListView, "ListView");
            Name(Kind.Grid, "DataGridView");
            Name(Kind.Tree, "TreeView");
            Name(Kind.Tabs, "TabControl");
            Name(Kind.Slider, "TrackBar");
            Name(Kind.Spinner, "UpDownBase");
            Name(Kind.Date, "DateTimePicker", "MonthCalendar");
            Name(Kind.Progress, "ProgressBar");
            Name(Kind.Ignored, "ScrollBar", "PictureBox", "Splitter", "PropertyGrid", "WebBrowserBase", "DataGrid",
                "ToolBar", "PrintPreviewControl", "ToolStripSeparator", "ToolStripDropDown");
        }

        static void Name(Kind kind, params string[] names)
        {
            foreach (string name in names) ByClass[Namespace + name] = kind;
        }

        internal static Kind Of(object control)
        {
            Type type = control.GetType();
            object known;
            if (Known.TryGetValue(type, out known)) return (Kind)known;
            Kind kind = Kind.Ignored;
            for (Type at = type; at != null; at = at.BaseType)
                if (at.FullName != null && ByClass.TryGetValue(at.FullName, out kind)) break;
            Known.GetValue(type, _ => kind);
            return kind;
        }

        /// <summary>On or off, with its own words beside it.</summary>
        internal static bool IsToggle(Kind kind)
        {
            return kind == Kind.Toggle || kind == Kind.Check;
        }

        /// <summary>So large that its name stands above it.</summary>
        internal static bool IsLarge(Kind kind)
        {
            return kind >= Kind.List && kind <= Kind.Tabs;
        }

        /// <summary>Holds a value that a person sees.</summary>
        internal static bool IsField(Kind kind)
        {
            return kind >= Kind.Toggle && kind <= Kind.Tabs;
        }

        /// <summary>What a field is called that nothing else names.</summary>
        internal static string NameOf(Kind kind)
        {
            switch (kind)
            {
                case Kind.Combo: case Kind.Radio: return "choice";
                case Kind.ListView: return "list";
                case Kind.Grid: return "table";
                case Kind.Tabs: return "tab";
                default: return kind.ToString().ToLowerInvariant();
            }
        }
    }
}
