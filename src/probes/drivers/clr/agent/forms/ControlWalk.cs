using System;
using System.Collections;
using System.Collections.Generic;

namespace Substrate.Forms
{
    /// <summary>
    /// Goes through the controls of one window. Runs on the window's thread, and can stop in between.
    /// </summary>
    sealed class ControlWalk
    {
        const int MaxParts = 5000;
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

        readonly MemoryBook book;
        readonly FieldNames fields = new FieldNames();
        /// <summary>What is to be read next is at the end.</summary>
        readonly List<WalkTask> tasks = new List<WalkTask>();
        int count;

        internal ControlWalk(object window, Part content, MemoryBook book)
        {
            this.book = book;
            fields.Collect(window);
            PushControls(window, content);
            object menu = MainMenu.Of(window);
            if (menu != null) PushItems(ItemReader.ItemsOf(menu), content);
        }

        /// <summary>False: there is more.</summary>
        internal bool Read(DateTime until)
        {
            while (tasks.Count > 0)
            {
                if (DateTime.UtcNow > until) return false;
                WalkTask task = tasks[tasks.Count - 1];
                tasks.RemoveAt(tasks.Count - 1);
                try
                {
                    if (task.Rows != null) ReadRows(task, until);
                    else if (task.IsItem) ReadItem(task.Control, task.Part);
                    else ReadControl(task.Control, task.Part, null);
                }
                catch (Exception)
                {
                    // A control of the app that is broken is left out; the rest of the window is not.
                }
            }
            return true;
        }

        /// <summary>In the order in which people read: a window keeps its controls in that of their depth.</summary>
        void PushControls(object container, Part part)
        {
            IList children = Controls.List(container);
            var sorted = new List<object>();
            for (int at = 0; children != null && at < children.Count && at < MaxParts; at++) sorted.Add(children[at]);
            var places = new Dictionary<object, long>(new ByReference());
            foreach (object child in sorted) places[child] = ((long)Top.Number(child) << 32) + Left.Number(child);
            sorted.Sort((one, other) => places[other].CompareTo(places[one]));
            foreach (object child in sorted) tasks.Add(new WalkTask(child, part, null, false));
        }

        void PushItems(IList items, Part part)
        {
            for (int at = (items == null ? 0 : Math.Min(items.Count, MaxParts)) - 1; at >= 0; at--)
                tasks.Add(new WalkTask(items[at], part, null, true));
        }

        /// <summary>`item`: the item of a strip in which the control is.</summary>
        void ReadControl(object control, Part parent, object item)
        {
            if (Kinds.Of(control) == Kind.Ignored || !Visible.Flag(control) || ++count > MaxParts) return;
            var part = new Part(ControlReader.KindOf(control), parent, book.Of(control));
            ControlReader.Place(control, part);
            if (part.Width <= 0 || part.Height <= 0) return;
            ControlReader.Describe(control, part, fields);
            if (item != null) Adopt(item, part);
            parent.Parts.Add(part);
            ReadContent(control, part);
            // The strip itself listens to the control: what the app listens to is the item.
            if (item != null) part.HearsKeys = Listeners.HearKeys(item, "ToolStripControlHost");
        }

        /// <summary>What the app said of a control in a strip, it said of the item.</summary>
        void Adopt(object item, Part part)
        {
            var outer = new Part(part.Kind, part.Parent, part.Memory);
            ItemReader.Read(item, outer, fields);
            part.OwnName = Part.FirstText(outer.OwnName, part.OwnName);
            part.FieldName = outer.FieldName ?? part.FieldName;
            part.Tip = outer.Tip ?? part.Tip;
            part.Accessible = outer.Accessible ?? part.Accessible;
            part.IsEnabled &= outer.IsEnabled;
        }

        void ReadContent(object control, Part part)
        {
            switch (part.Kind)
            {
                case Kind.Group: case Kind.InternalFrame:
                    ControlReader.Read(control, part);
                    fields.Collect(control);
                    PushControls(control, part);
                    return;
                case Kind.Strip:
                    PushItems(StripItems.List(control), part);
                    return;
                case Kind.StatusBar:
                    ReadStatus(control, part);
                    return;
                case Kind.Tabs:
                    object page = TabRows.SelectedOf(control);
                    if (page != null) tasks.Add(new WalkTask(page, part, null, false));
                    PushRows(control, part);
                    return;
                default:
                    ControlReader.Read(control, part);
                    part.HearsOpening |= Openings.AreHeard(control, part.Kind);
                    if (part.Kind == Kind.Combo) part.HearsKeys = Listeners.HearKeys(control, "Control");
                    PushRows(control, part);
                    return;
            }
        }

        void ReadStatus(object bar, Part part)
        {
            IList panels = ShowsPanels.Flag(bar) ? BarPanels.List(bar) : null;
            if (panels == null)
            {
                string text = ControlReader.WordsOf(bar);
                part.Parts.Add(new Part(Kind.Label, part, part.Memory) { Text = text, OwnName = "status" });
                return;
            }
            for (int at = 0; at < panels.Count && ++count < MaxParts; at++)
                part.Parts.Add(new Part(Kind.Label, part, book.Of(panels[at]))
                {
                    Text = PanelText.Text(panels[at]) ?? "",
                    OwnName = PanelName.Text(panels[at]),
                    FieldName = fields.Of(panels[at]),
                });
        }

        void ReadItem(object item, Part parent)
        {
            if (!ItemReader.IsThere(item)) return;
            object hosted = ItemReader.HostedBy(item);
            if (hosted != null)
            {
                ReadControl(hosted, parent, item);
                return;
            }
            Memory memory = book.Of(item);
            Kind kind = ItemReader.KindOf(item, parent.Kind == Kind.Strip, memory);
            if (kind == Kind.Ignored || ++count > MaxParts) return;
            Part before = parent.Parts.Count == 0 ? null : parent.Parts[parent.Parts.Count - 1];
            var part = new Part(kind, parent, memory)
            {
                X = before == null ? parent.X : before.Right,
                Y = parent.Y,
                Width = ItemReader.WidthOf(item),
                Height = parent.Height,
            };
            ItemReader.Read(item, part, fields);
            parent.Parts.Add(part);
            if (kind != Kind.Menu) return;
            PushItems(ItemReader.ItemsOf(item), part);
            if (Openings.IsSplit(item)) parent.Parts.Add(Half(part));
        }

        /// <summary>A button with a menu beside it is both.</summary>
        static Part Half(Part menu)
        {
            return new Part(Kind.Button, menu.Parent, menu.Memory)
            {
                X = menu.X, Y = menu.Y, Width = menu.Width, Height = menu.Height, IsEnabled = menu.IsEnabled,
                Text = menu.Text, Accessible = menu.Accessible, Tip = menu.Tip, OwnName = menu.OwnName,
                FieldName = menu.FieldName,
            };
        }

        void PushRows(object control, Part part)
        {
            RowReader rows = RowReader.Of(part.Kind, control);
            if (rows == null) return;
            if (part.Memory.MayAsk) tasks.Add(new WalkTask(control, part, rows, false));
            else part.Rows = part.Memory.LastRows;
        }

        void ReadRows(WalkTask task, DateTime until)
        {
            Memory memory = task.Part.Memory;
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
            task.Part.Rows = memory.LastRows;
        }
    }
}
