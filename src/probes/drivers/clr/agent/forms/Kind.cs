using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;

namespace Substrate.Forms
{
    enum Kind
    {
        Ignored, Window, Group, Strip, StatusBar, InternalFrame, Menu, MenuItem, Label, Button, Link,
        Toggle, Check, Radio, Text, Password, Combo, Slider, Spinner, Date, Progress,
        // Kinds with rows.
        List, ListView, Grid, Tree, Tabs,
    }

    // Finds the kind of a control by the nearest class of Windows Forms among its classes. The names are the same in
    // all versions.
    static class Kinds
    {
        static readonly Dictionary<string, Kind> ByClass = new Dictionary<string, Kind>();
        // Types of the app are not kept alive.
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
            foreach (string name in names) ByClass["System.Windows.Forms." + name] = kind;
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

        internal static bool HasRows(Kind kind) => kind >= Kind.List && kind <= Kind.Tabs;

        // The kind's name in reports.
        internal static string Role(Kind kind)
        {
            switch (kind)
            {
                case Kind.StatusBar: return "group";
                case Kind.InternalFrame: return "frame";
                case Kind.MenuItem: return "item";
                case Kind.Combo: return "choice";
                case Kind.ListView: return "list";
                case Kind.Grid: return "table";
                default: return kind.ToString().ToLowerInvariant();
            }
        }
    }
}
