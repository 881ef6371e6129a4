using System;
using System.Collections;
using System.Collections.Generic;

namespace Substrate.Forms
{
    // Goes through the controls of one window. Runs on the window's thread, and can stop in between.
    sealed class ControlWalk
    {
        const int MaxWidgets = 5000;
        static readonly Property Controls = new Property("Control", "Controls");
        static readonly Property Visible = new Property("Control", "Visible");
        static readonly Property Top = new Property("Control", "Top");
        static readonly Property Left = new Property("Control", "Left");
        static readonly Property StripItems = new Property("ToolStrip", "Items");
        static readonly Property MainMenu = new Property("Form", "Menu");
        static readonly Property BarPanels = new Property("StatusBar", "Panels");
        static readonly Property ShowsPanels = new Property("StatusBar", "ShowPanels");
        static readonly Property PanelText = new Property("StatusBarPanel", "Text");
        static readonly Property PanelName = new Property("StatusBarPanel", "Name");

        readonly Memory.Registry registry;
        readonly FieldNames fields = new FieldNames();
        // What is to be read next is at the end.
        readonly List<Task> tasks = new List<Task>();
        int count;

        // Something to be read: a control, an item of a strip or menu, or the rows of a control.
        sealed class Task
        {
            internal readonly object Control;
            // In which the control is, or whose rows are read.
            internal readonly Widget Widget;
            internal readonly RowReader Rows;
            internal readonly bool IsItem;

            internal Task(object control, Widget widget, RowReader rows, bool isItem)
            {
                Control = control;
                Widget = widget;
                Rows = rows;
                IsItem = isItem;
            }
        }

        internal ControlWalk(object window, Widget content, Memory.Registry registry)
        {
            this.registry = registry;
            fields.Collect(window);
            PushControls(window, content);
            object menu = MainMenu.Of(window);
            if (menu != null) PushItems(ItemReader.ItemsOf(menu), content);
        }

        // False: there is more.
        internal bool Read(DateTime until)
        {
            while (tasks.Count > 0)
            {
                if (DateTime.UtcNow > until) return false;
                Task task = tasks[tasks.Count - 1];
                tasks.RemoveAt(tasks.Count - 1);
                try
                {
                    if (task.Rows != null) ReadRows(task, until);
                    else if (task.IsItem) ReadItem(task.Control, task.Widget);
                    else ReadControl(task.Control, task.Widget, null);
                }
                catch (Exception)
                {
                    // A control of the app that is broken is left out; the rest of the window is not.
                }
            }
            return true;
        }

        // In the order in which people read: a window keeps its controls in that of their depth.
        void PushControls(object container, Widget widget)
        {
            IList children = Controls.List(container);
            var sorted = new List<object>();
            for (int at = 0; children != null && at < children.Count && at < MaxWidgets; at++) sorted.Add(children[at]);
            var places = new Dictionary<object, long>(new ByReference());
            foreach (object child in sorted) places[child] = ((long)Top.Number(child) << 32) + Left.Number(child);
            sorted.Sort((one, other) => places[other].CompareTo(places[one]));
            foreach (object child in sorted) tasks.Add(new Task(child, widget, null, false));
        }

        void PushItems(IList items, Widget widget)
        {
            for (int at = (items == null ? 0 : Math.Min(items.Count, MaxWidgets)) - 1; at >= 0; at--)
                tasks.Add(new Task(items[at], widget, null, true));
        }

        // `item`: the item of a strip in which the control is.
        void ReadControl(object control, Widget parent, object item)
        {
            if (Kinds.Of(control) == Kind.Ignored || !Visible.Flag(control) || ++count > MaxWidgets) return;
            Widget widget = New(ControlReader.KindOf(control), parent, control);
            ControlReader.Place(control, widget);
            if (widget.Width <= 0 || widget.Height <= 0) return;
            ControlReader.Describe(control, widget, fields);
            if (item != null) Adopt(item, widget);
            parent.Children.Add(widget);
            ReadContent(control, widget);
            // The strip itself listens to the control: what the app listens to is the item.
            if (item != null) widget.Submits = Listeners.HearKeys(item, "ToolStripControlHost");
        }

        // What the app said of a control in a strip, it said of the item.
        void Adopt(object item, Widget widget)
        {
            var outer = new Widget(widget.Kind, widget.Parent, widget.Memory, widget.Window);
            ItemReader.Read(item, outer, fields);
            widget.Name = string.IsNullOrEmpty(outer.Name) ? widget.Name : outer.Name;
            widget.Field = outer.Field ?? widget.Field;
            widget.Tip = outer.Tip ?? widget.Tip;
            widget.Accessible = outer.Accessible ?? widget.Accessible;
            widget.IsEnabled &= outer.IsEnabled;
        }

        void ReadContent(object control, Widget widget)
        {
            switch (widget.Kind)
            {
                case Kind.Group: case Kind.InternalFrame:
                    ControlReader.Read(control, widget);
                    fields.Collect(control);
                    PushControls(control, widget);
                    return;
                case Kind.Strip:
                    PushItems(StripItems.List(control), widget);
                    return;
                case Kind.StatusBar:
                    ReadStatus(control, widget);
                    return;
                case Kind.Tabs:
                    object page = TabRows.SelectedOf(control);
                    if (page != null) tasks.Add(new Task(page, widget, null, false));
                    PushRows(control, widget);
                    return;
                default:
                    ControlReader.Read(control, widget);
                    widget.Opens |= Openings.AreHeard(control, widget.Kind);
                    if (widget.Kind == Kind.Combo) widget.Submits = Listeners.HearKeys(control, "Control");
                    PushRows(control, widget);
                    return;
            }
        }

        void ReadStatus(object bar, Widget widget)
        {
            IList panels = ShowsPanels.Flag(bar) ? BarPanels.List(bar) : null;
            if (panels == null)
            {
                // It is its own only panel.
                widget.Kind = Kind.Label;
                widget.Text = ControlReader.WordsOf(bar);
                widget.Name = "status";
                return;
            }
            for (int at = 0; at < panels.Count && ++count < MaxWidgets; at++)
            {
                Widget panel = New(Kind.Label, widget, panels[at]);
                panel.Text = PanelText.Text(panels[at]) ?? "";
                panel.Name = PanelName.Text(panels[at]);
                panel.Field = fields.Of(panels[at]);
                widget.Children.Add(panel);
            }
        }

        void ReadItem(object item, Widget parent)
        {
            if (!ItemReader.IsThere(item)) return;
            object hosted = ItemReader.HostedBy(item);
            if (hosted != null)
            {
                ReadControl(hosted, parent, item);
                return;
            }
            Kind kind = ItemReader.KindOf(item, parent.Kind == Kind.Strip, registry.Of(item));
            if (kind == Kind.Ignored || ++count > MaxWidgets) return;
            Widget before = parent.Children.Count == 0 ? null : parent.Children[parent.Children.Count - 1];
            Widget widget = New(kind, parent, item);
            // Items do not tell where they are in a way that all versions share; they stand side by side.
            widget.X = before == null ? 0 : before.X + before.Width;
            widget.Width = ItemReader.WidthOf(item);
            widget.Height = parent.Height;
            ItemReader.Read(item, widget, fields);
            parent.Children.Add(widget);
            if (kind != Kind.Menu) return;
            PushItems(ItemReader.ItemsOf(item), widget);
            widget.Presses = Openings.IsSplit(item);
        }

        Widget New(Kind kind, Widget parent, object control)
        {
            return new Widget(kind, parent, registry.Of(control), parent.Window);
        }

        void PushRows(object control, Widget widget)
        {
            RowReader rows = RowReader.Of(widget.Kind, control);
            if (rows == null) return;
            if (widget.Memory.MayAsk) tasks.Add(new Task(control, widget, rows, false));
            else widget.Rows = widget.Memory.LastRows;
        }

        void ReadRows(Task task, DateTime until)
        {
            Memory memory = task.Widget.Memory;
            try
            {
                if (!task.Rows.Read(until, memory.MaxRows))
                {
                    tasks.Add(task);
                    return;
                }
                memory.LastRows = task.Rows.Rows;
                memory.Took(task.Rows.Time);
            }
            catch (Exception)
            {
                memory.Threw();
            }
            task.Widget.Rows = memory.LastRows;
        }
    }
}
