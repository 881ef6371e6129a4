using System.Collections.Generic;
using Substrate.Read;
using Substrate.State;

namespace Substrate.Forms
{
    /// <summary>What a look means: a root for each window, what can be done, and which window is in front.</summary>
    sealed class Screen
    {
        internal static readonly Screen Empty = new Screen();
        internal readonly List<Root> Roots = new List<Root>();
        internal readonly ActionList Actions = new ActionList();
        /// <summary>Of the window in front; null without windows.</summary>
        internal string Title;
        internal string Id;

        Screen() { }

        internal static Screen Of(Look look)
        {
            var screen = new Screen();
            List<WindowPart> windows = InOrder(look.Windows);
            var book = new NameBook();
            // Names that are known come first, so that a new window takes none away.
            foreach (WindowPart window in windows)
                if (IsKept(window)) book.Take(window.Wanted, window.Memory);
            foreach (WindowPart window in windows)
                if (!IsKept(window)) book.Take(window.Wanted, window.Memory);
            foreach (WindowPart window in windows) screen.Add(window);
            return screen;
        }

        static bool IsKept(WindowPart window)
        {
            return window.Wanted == window.Memory.Wanted;
        }

        /// <summary>The one that a person works in first, then the newest; those behind a modal dialog last.</summary>
        static List<WindowPart> InOrder(List<WindowPart> windows)
        {
            var sorted = new List<WindowPart>();
            var blocked = new List<WindowPart>();
            for (int at = windows.Count - 1; at >= 0; at--)
            {
                WindowPart window = windows[at];
                if (window.IsBlocked) blocked.Add(window);
                else if (window.IsActive) sorted.Insert(0, window);
                else sorted.Add(window);
            }
            sorted.AddRange(blocked);
            return sorted;
        }

        void Add(WindowPart window)
        {
            string name = window.Memory.Given;
            if (Id == null)
            {
                Id = name;
                Title = window.Title;
            }
            Record record = new Record().Put("title", window.Title);
            if (window.IsModal) record.Put("modal", true);
            if (window.Message != null) record.Put("message", window.Message);
            Actions.Begin(window);
            AddArea(record, name, window.Content);
            Actions.End(name);
            string origin = "window \"" + Names.Shorten(window.Title, 200) + "\" (" + window.ClassName + ")";
            Roots.Add(new Root(name, origin, null, record));
        }

        void AddArea(Record record, string prefix, Part content)
        {
            var area = new Area(content);
            var labels = new Labels(area);
            var book = new NameBook();
            foreach (string reserved in new[] { "title", "modal", "message" }) book.Take(reserved);
            var names = new PartNames(area, labels, book);
            AreaRecord.Fill(record, area, names, labels, book);
            AreaActions.Add(Actions, prefix, area, names);
            foreach (Part frame in area.Inner)
            {
                string wanted = Names.FirstName(frame.OwnName, frame.Text);
                string name = book.Take(wanted.Length == 0 ? "frame" : wanted, frame.Memory);
                Record inner = new Record().Put("title", frame.Text);
                record.Put(name, inner);
                AddArea(inner, prefix + "." + name, frame);
                Actions.AddClose(prefix + "." + name, frame, frame.Text);
            }
        }
    }
}
