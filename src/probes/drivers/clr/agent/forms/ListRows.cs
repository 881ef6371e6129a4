using System.Collections;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Rows of list boxes, and the choices of combo boxes.
    sealed class ListRows : RowReader
    {
        const int MaxSelected = 100;
        const int DropDownList = 2;
        readonly bool isCombo;
        readonly bool hasTicks;
        IList items;

        internal ListRows(object list) : base(list)
        {
            isCombo = Kinds.Of(list) == Kind.Combo;
            hasTicks = Library.IsOf("CheckedListBox", list);
        }

        internal static IList ItemsOf(object list) =>
            List(list, "ComboBox.Items") ?? List(list, "ListBox.Items");

        internal static bool IsEditable(object combo) =>
            Number(combo, "ComboBox.DropDownStyle") != DropDownList;

        protected override void Start()
        {
            items = ItemsOf(Control);
            Rows.Total = items == null ? 0 : items.Count;
            object index = Of(Control, isCombo ? "ComboBox.SelectedIndex" : "ListBox.SelectedIndex");
            Rows.Selected = index is int ? (int)index : -1;
            Rows.IsEditable = isCombo && IsEditable(Control);
            Rows.HasTicks = hasTicks;
            if (hasTicks) Rows.Columns = new[] { "item", "checked" };
            IList indices = isCombo ? null : List(Control, "ListBox.SelectedIndices");
            for (int at = 0; indices != null && at < indices.Count && at < MaxSelected; at++)
                Rows.AllSelected.Add(indices[at]);
        }

        protected override object Row(int at)
        {
            object text = TextOf(Control, items[at]);
            return hasTicks ? new[] { text, Method.Ask(Control, "CheckedListBox.GetItemChecked", at) } : text;
        }

        protected override void End()
        {
            if (Rows.IsEditable) Rows.SelectedValue = Words.Scalar(Of(Control, "ComboBox.Text"));
            else TakeSelected();
        }

        // The text in the list. If that is only the name of a class, the app paints something else.
        internal static object TextOf(object list, object item)
        {
            object plain = Words.Scalar(item);
            if (plain != null || item == null) return plain;
            var text = Method.Ask(list, "ListControl.GetItemText", item) as string;
            return Words.Scalar(text == item.GetType().FullName ? ObjectNames.Of(item) : text);
        }
    }

    // The titles of tabs.
    sealed class TabRows : RowReader
    {
        IList pages;

        internal TabRows(object tabs) : base(tabs) { }

        protected override void Start()
        {
            pages = List(Control, "TabControl.TabPages");
            Rows.Total = pages == null ? 0 : pages.Count;
            object index = Of(Control, "TabControl.SelectedIndex");
            Rows.Selected = index is int ? (int)index : -1;
        }

        protected override object Row(int at)
        {
            string title = ControlReader.WordsOf(pages[at]).Trim();
            return title.Length > 0 ? title : "tab " + (at + 1);
        }

        protected override void End()
        {
            TakeSelected();
        }
    }
}
