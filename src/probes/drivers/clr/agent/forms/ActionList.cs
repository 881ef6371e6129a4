using System.Collections.Generic;
using Substrate.Act;

namespace Substrate.Forms
{
    /// <summary>What can be done in the windows, and what each action works on.</summary>
    sealed class ActionList
    {
        const int MaxActions = 600;
        const int MaxMenuItems = 400;
        const int MaxWords = 60;
        internal List<ActionInfo> Actions = new List<ActionInfo>();
        internal readonly Dictionary<string, Target> Targets = new Dictionary<string, Target>();
        readonly NameBook book = new NameBook();
        /// <summary>Of the window that is being added: they come after what stands in it.</summary>
        readonly List<ActionInfo> menus = new List<ActionInfo>();
        WindowPart window;

        /// <summary>Between `Begin` and `End` the areas of one window are added.</summary>
        internal void Begin(WindowPart newWindow)
        {
            window = newWindow;
        }

        internal void End(string prefix)
        {
            Actions.AddRange(menus);
            menus.Clear();
            AddClose(prefix, window.Content, window.Title);
        }

        internal void AddClose(string prefix, Part part, string title)
        {
            string called = "the window " + Quoted(title);
            Add(Deed.Close, part, prefix + ".close_window", called, "unknown", "Asks " + called + " to close");
        }

        /// <summary>In a window that is blocked nothing can be done.</summary>
        internal void Add(Deed deed, Part part, string wanted, string called, string effect, string description,
            params Parameter[] parameters)
        {
            bool isFull = Actions.Count + menus.Count >= MaxActions;
            bool isInMenu = part.Kind == Kind.MenuItem;
            if (window.IsBlocked || isFull || (isInMenu && menus.Count >= MaxMenuItems)) return;
            string name = book.Take(wanted);
            string binding = FormsUi.UiScheme + name;
            Targets[binding] = new Target(deed, part, window.Memory.Control, called);
            (isInMenu ? menus : Actions).Add(new ActionInfo(binding, name, parameters, "void", effect, description));
        }

        /// <summary>The same list as before says that nothing is new.</summary>
        internal void KeepIfSame(ActionList before)
        {
            if (Actions.Count != before.Actions.Count) return;
            for (int at = 0; at < Actions.Count; at++)
                if (!IsSame(Actions[at], before.Actions[at])) return;
            Actions = before.Actions;
        }

        static bool IsSame(ActionInfo one, ActionInfo other)
        {
            bool isSame = one.Name == other.Name && one.Effect == other.Effect && one.Description == other.Description;
            if (!isSame || one.Parameters.Count != other.Parameters.Count) return false;
            for (int at = 0; at < one.Parameters.Count; at++)
            {
                Parameter mine = one.Parameters[at];
                Parameter its = other.Parameters[at];
                if (mine.Name != its.Name || mine.Type != its.Type || mine.Description != its.Description) return false;
            }
            return true;
        }

        internal static string Quoted(string text)
        {
            return "\"" + Names.Shorten(text, MaxWords) + "\"";
        }
    }
}
