using System.Collections.Generic;
using System.Text;
using Substrate.Act;

namespace Substrate.Forms
{
    /// <summary>What can be done in an area: one action for each control that can be used now.</summary>
    sealed class AreaActions
    {
        const int MaxWords = 60;
        const int MaxOptionsText = 800;
        readonly ActionList list;
        readonly string prefix;
        readonly Area area;

        AreaActions(ActionList list, string prefix, Area area)
        {
            this.list = list;
            this.prefix = prefix + ".";
            this.area = area;
        }

        internal static void Add(ActionList list, string prefix, Area area, PartNames names)
        {
            var actions = new AreaActions(list, prefix, area);
            foreach (Part field in area.Fields)
                actions.AddField(field, names.Of(field), ActionList.Quoted(names.TitleOf(field)));
            foreach (Part button in area.Buttons) actions.AddButton(button);
            foreach (Part menu in area.Menus)
                actions.AddMenu(actions.prefix + PartNames.OfButton(menu, "menu"), menu.Text, menu);
        }

        void AddButton(Part button)
        {
            string name = PartNames.OfButton(button, "");
            if (!button.IsEnabled || name.Length == 0) return;
            string section = area.SectionOf(button);
            string words = ActionList.Quoted(WordsOn(button));
            string where = section.Length == 0 ? "" : " in " + ActionList.Quoted(section);
            string effect = Consequences.OfButton(button.Text, button.Accessible, Words.WithoutKeys(button.Tip));
            bool isLink = button.Kind == Kind.Link;
            string called = (isLink ? "the link " : "the button ") + words;
            list.Add(Deed.Press, button, prefix + name, called, effect, (isLink ? "Link " : "Button ") + words + where);
        }

        static string WordsOn(Part button)
        {
            return Part.FirstText(button.Text, button.Accessible, button.Tip, button.OwnName, button.FieldName);
        }

        void AddMenu(string path, string way, Part menu)
        {
            if (!menu.IsEnabled) return;
            foreach (Part item in menu.Parts)
            {
                string name = PartNames.OfButton(item, "");
                if (!item.IsEnabled || name.Length == 0) continue;
                string words = string.IsNullOrEmpty(way) ? WordsOn(item) : way + " > " + WordsOn(item);
                if (item.Kind == Kind.Menu) AddMenu(path + "." + name, words, item);
                if (item.Kind != Kind.MenuItem || IsPlaceholder(item)) continue;
                string effect = item.Value != null
                    ? Consequences.OfToggle(item.Text, item.Tip)
                    : Consequences.OfButton(item.Text, Words.WithoutKeys(item.Tip));
                string called = "menu item \"" + words + "\"";
                list.Add(Deed.Press, item, path + "." + name, "the " + called, effect, "M" + called.Substring(1));
            }
        }

        /// <summary>`&lt;&gt;` stands where items will be when the menu is opened.</summary>
        static bool IsPlaceholder(Part item)
        {
            return item.Text.Length > 0 && Names.FirstName(item.Text, item.Accessible, item.Tip).Length == 0;
        }

        void AddField(Part field, string name, string called)
        {
            List<Part> radios = area.RadiosOf(field);
            if (!field.IsEnabled && radios == null) return;
            switch (field.Kind)
            {
                case Kind.Text: case Kind.Password:
                    if (!field.IsEditable) return;
                    AddSet(field, name, called, "Sets the field " + called, "string", null);
                    AddSubmit(field, name, called);
                    return;
                case Kind.Slider:
                    AddSet(field, name, called, "Sets " + called, "number", field.Range);
                    return;
                case Kind.Spinner:
                    string type = field.Range != null ? "number" : "string";
                    if (field.IsEditable) AddSet(field, name, called, "Sets " + called, type, field.Range);
                    return;
                case Kind.Date:
                    string example = "a date such as 2024-05-31, or 2024-05-31T14:30:00";
                    AddSet(field, name, called, "Sets " + called, "string", example);
                    return;
                case Kind.Check: case Kind.Toggle:
                    string effect = Consequences.OfToggle(field.Text, field.Tip);
                    list.Add(Deed.Set, field, prefix + "set_" + name, called, effect,
                        "Switches " + called + " on or off", Value("boolean", null));
                    return;
                case Kind.Radio:
                    AddRadios(field, radios, name, called);
                    return;
                case Kind.Combo: case Kind.Tabs:
                    AddChoice(field, name, called);
                    return;
                case Kind.List: case Kind.ListView: case Kind.Grid: case Kind.Tree:
                    AddRows(field, name, called);
                    return;
            }
        }

        void AddSet(Part field, string name, string called, string description, string type, string values)
        {
            list.Add(Deed.Set, field, prefix + "set_" + name, called, "setter", description, Value(type, values));
        }

        void AddSubmit(Part field, string name, string called)
        {
            string description = "Presses Enter in the field " + called;
            if (field.HearsKeys)
                list.Add(Deed.Submit, field, prefix + "submit_" + name, called, "unknown", description);
        }

        void AddChoice(Part field, string name, string called)
        {
            Rows rows = field.Rows;
            if (rows == null || (rows.Total == 0 && !rows.IsEditable)) return;
            string what = (field.Kind == Kind.Tabs ? "Shows a tab of " : "Chooses in ") + called;
            Parameter value = Value("string", Options(rows.Shown, rows.Total, rows.IsEditable));
            list.Add(Deed.Choose, field, prefix + "select_" + name, called, "setter", what, value);
            if (rows.IsEditable) AddSubmit(field, name, called);
        }

        void AddRadios(Part field, List<Part> radios, string name, string called)
        {
            if (radios == null)
            {
                string alone = Consequences.OfToggle(field.Text);
                list.Add(Deed.Press, field, prefix + "select_" + name, called, alone, "Selects " + called);
                return;
            }
            var words = new string[radios.Count];
            bool isEnabled = false;
            for (int at = 0; at < words.Length; at++)
            {
                words[at] = radios[at].Text;
                isEnabled |= radios[at].IsEnabled;
            }
            string effect = Consequences.OfToggle(words);
            Parameter value = Value("string", Options(words, words.Length, false));
            if (isEnabled)
                list.Add(Deed.Choose, field, prefix + "set_" + name, called, effect, "Chooses in " + called, value);
        }

        void AddRows(Part field, string name, string called)
        {
            Rows rows = field.Rows;
            if (rows == null || rows.Total == 0) return;
            string range = rows.Total == 1 ? "0" : "0 to " + (rows.Total - 1);
            var index = new Parameter("index", "number", true, range + ", as in its rows");
            AddRow(Deed.Select, field, "select_" + name, called, "Selects a row of ", index);
            if (field.HearsOpening) AddRow(Deed.Open, field, "open_" + name, called, "Double-clicks a row of ", index);
            if (rows.HasTicks)
                AddRow(Deed.Tick, field, "check_" + name, called, "Ticks a row of ", index, Value("boolean", null));
            if (field.Kind == Kind.Tree)
            {
                AddRow(Deed.Expand, field, "expand_" + name, called, "Unfolds a row of ", index);
                AddRow(Deed.Collapse, field, "collapse_" + name, called, "Folds a row of ", index);
            }
            if (field.Kind != Kind.Grid || !rows.IsEditable) return;
            var row = new Parameter("row", "number", true, range);
            var column = new Parameter("column", "string", true, Options(rows.Columns, rows.Columns.Length, false));
            AddRow(Deed.SetCell, field, "set_" + name + "_cell", called, "Writes a cell of ", row, column,
                Value(null, null));
        }

        void AddRow(Deed deed, Part field, string name, string called, string what, params Parameter[] parameters)
        {
            string effect = deed == Deed.Open ? "unknown" : "setter";
            list.Add(deed, field, prefix + name, called, effect, what + called, parameters);
        }

        static Parameter Value(string type, string description)
        {
            return new Parameter("value", type, true, description);
        }

        /// <summary>`one of: Lyon | Oslo | … and 200 more`</summary>
        static string Options(IEnumerable<object> texts, int total, bool isOpen)
        {
            if (total == 0) return "any text";
            var result = new StringBuilder(isOpen ? "any text, or one of: " : "one of: ");
            int shown = 0;
            foreach (object text in texts)
            {
                string word = Names.Shorten(Given.TextOf(text), MaxWords);
                if (result.Length + word.Length > MaxOptionsText) break;
                result.Append(shown++ > 0 ? " | " : "").Append(word);
            }
            if (shown < total) result.Append(" | … and ").Append(total - shown).Append(" more");
            return result.ToString();
        }
    }
}
