using System;
using System.Collections;
using System.Collections.Generic;
using Substrate.Health;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Walks the controls of one window. Runs on the window's thread, and can be interrupted.
    sealed class ControlWalk
    {
        const int MaxWidgets = 5000;

        readonly Memory.Registry registry;
        readonly FieldNames fields = new FieldNames();
        // A stack: the last one is read next.
        readonly List<Task> tasks = new List<Task>();
        int count;

        // Something to read: a control, an item of a strip or menu, or the rows of a control.
        sealed class Task
        {
            internal readonly object Control;
            // The parent of the control, or the widget of the rows.
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
            object menu = Of(window, "Form.Menu");
            if (menu != null) PushItems(ItemReader.ItemsOf(menu), content);
        }

        // False if there is more.
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
                catch (Exception discarded)
                {
                    // A broken control of the app is left out; the rest of the window is read.
                    Discarded.Count("ControlWalk.Read", discarded);
                }
            }
            return true;
        }

        // Reading order: a window stores its controls by depth.
        void PushControls(object container, Widget widget)
        {
            IList children = List(container, "Control.Controls");
            var sorted = new List<object>();
            for (int at = 0; children != null && at < children.Count && at < MaxWidgets; at++) sorted.Add(children[at]);
            var places = new Dictionary<object, long>(new ByReference());
            foreach (object child in sorted)
                places[child] = ((long)Number(child, "Control.Top") << 32) + Number(child, "Control.Left");
            sorted.Sort((one, other) => places[other].CompareTo(places[one]));
            foreach (object child in sorted) tasks.Add(new Task(child, widget, null, false));
        }

        void PushItems(IList items, Widget widget)
        {
            for (int at = (items == null ? 0 : Math.Min(items.Count, MaxWidgets)) - 1; at >= 0; at--)
                tasks.Add(new Task(items[at], widget, null, true));
        }

        // `item`: the item of a strip that hosts the control.
        void ReadControl(object control, Widget parent, object item)
        {
            bool isSeen = Kinds.Of(control) != Kind.Ignored && Flag(control, "Control.Visible");
            if (!isSeen || ++count > MaxWidgets) return;
            Widget widget = New(ControlReader.KindOf(control), parent, control);
            widget.Place(Number(control, "Control.Left"), Number(control, "Control.Top"),
                Number(control, "Control.Width"), Number(control, "Control.Height"));
            if (widget.Width <= 0 || widget.Height <= 0) return;
            ControlReader.Describe(control, item, widget, fields);
            parent.Children.Add(widget);
            ReadContent(control, widget);
            // The strip itself handles events of a hosted control: the app's handlers are at the item.
            bool takesText = widget.Kind == Kind.Text || widget.Kind == Kind.Password || widget.Kind == Kind.Combo;
            if (item != null) widget.Flag("submits", Listeners.HasKeyHandler(item, "ToolStripControlHost"));
            else if (takesText) widget.Flag("submits", Listeners.HasKeyHandler(control, "Control"));
        }

        void ReadContent(object control, Widget widget)
        {
            switch (widget.Kind)
            {
                case Kind.Group: case Kind.InternalFrame:
                    ControlReader.Read(control, widget);
                    widget.Flag("closes", widget.Kind == Kind.InternalFrame);
                    fields.Collect(control);
                    PushControls(control, widget);
                    return;
                case Kind.Strip:
                    PushItems(List(control, "ToolStrip.Items"), widget);
                    return;
                case Kind.StatusBar:
                    ReadStatus(control, widget);
                    return;
                case Kind.Tabs:
                    object page = Of(control, "TabControl.SelectedTab");
                    if (page != null) tasks.Add(new Task(page, widget, null, false));
                    PushRows(control, widget);
                    return;
                default:
                    ControlReader.Read(control, widget);
                    widget.Flag("opens", DoubleClicks.AreHandled(control, widget.Kind));
                    PushRows(control, widget);
                    return;
            }
        }

        void ReadStatus(object bar, Widget widget)
        {
            IList panels = Flag(bar, "StatusBar.ShowPanels") ? List(bar, "StatusBar.Panels") : null;
            if (panels == null)
            {
                // The status bar is its own only panel.
                widget.Kind = Kind.Label;
                widget.Fact("text", ControlReader.WordsOf(bar));
                return;
            }
            for (int at = 0; at < panels.Count && ++count < MaxWidgets; at++)
            {
                Widget panel = New(Kind.Label, widget, panels[at]);
                panel.Fact("text", Text(panels[at], "StatusBarPanel.Text") ?? "");
                panel.Fact("name", Text(panels[at], "StatusBarPanel.Name"));
                panel.Fact("field", fields.Of(panels[at]));
                widget.Children.Add(panel);
            }
        }

        void ReadItem(object item, Widget parent)
        {
            if (!ItemReader.IsThere(item)) return;
            object hosted = Of(item, "ToolStripControlHost.Control");
            if (hosted != null)
            {
                ReadControl(hosted, parent, item);
                return;
            }
            Kind kind = ItemReader.KindOf(item, parent.Kind == Kind.Strip, registry.Of(item));
            if (kind == Kind.Ignored || ++count > MaxWidgets) return;
            Widget before = parent.Children.Count == 0 ? null : parent.Children[parent.Children.Count - 1];
            Widget widget = New(kind, parent, item);
            // No property has the position of items in all versions; they are placed side by side.
            int x = before == null ? 0 : before.X + before.Width;
            widget.Place(x, 0, Number(item, "ToolStripItem.Width"), parent.Height);
            ItemReader.Read(item, widget, fields);
            parent.Children.Add(widget);
            if (kind != Kind.Menu) return;
            PushItems(ItemReader.ItemsOf(item), widget);
            widget.Flag("presses", ItemReader.IsSplit(item));
        }

        Widget New(Kind kind, Widget parent, object control) =>
            new Widget(kind, registry.Of(control), parent.Window);

        void PushRows(object control, Widget widget)
        {
            RowReader rows = RowReader.For(widget.Kind, control);
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
            catch (Exception discarded)
            {
                Discarded.Count("ControlWalk.ReadRows", discarded);
                memory.Threw();
            }
            task.Widget.Rows = memory.LastRows;
        }
    }
}
