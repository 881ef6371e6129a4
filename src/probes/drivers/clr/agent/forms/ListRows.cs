using System.Collections;

namespace Substrate.Forms
{
    // Rows of list boxes, and the choices of combo boxes.
    sealed class ListRows : RowReader
    {
        const int MaxSelected = 100;
        const int DropDownList = 2;
        static readonly Property ListItems = new Property("ListBox", "Items");
        static readonly Property ListIndex = new Property("ListBox", "SelectedIndex");
        static readonly Property ListIndices = new Property("ListBox", "SelectedIndices");
        static readonly Property ComboItems = new Property("ComboBox", "Items");
        static readonly Property ComboIndex = new Property("ComboBox", "SelectedIndex");
        static readonly Property ComboStyle = new Property("ComboBox", "DropDownStyle");
        static readonly Property ComboText = new Property("ComboBox", "Text");
        static readonly Method ItemText = new Method("ListControl", "GetItemText", "Object");
        static readonly Method IsTicked = new Method("CheckedListBox", "GetItemChecked", "Int32");
        readonly object list;
        readonly bool isCombo;
        readonly bool hasTicks;
        IList items;

        internal ListRows(object list)
        {
            this.list = list;
            isCombo = Kinds.Of(list) == Kind.Combo;
            hasTicks = Library.Class("CheckedListBox").IsInstanceOfType(list);
        }

        internal static IList ItemsOf(object list)
        {
            return ComboItems.List(list) ?? ListItems.List(list);
        }

        internal static bool IsEditable(object combo)
        {
            return ComboStyle.Number(combo) != DropDownList;
        }

        protected override void Start()
        {
            items = ItemsOf(list);
            Rows.Total = items == null ? 0 : items.Count;
            object index = (isCombo ? ComboIndex : ListIndex).Of(list);
            Rows.Selected = index is int ? (int)index : -1;
            Rows.IsEditable = isCombo && IsEditable(list);
            Rows.HasTicks = hasTicks;
            if (hasTicks) Rows.Columns = new[] { "item", "checked" };
            IList indices = isCombo ? null : ListIndices.List(list);
            for (int at = 0; indices != null && at < indices.Count && at < MaxSelected; at++)
                Rows.AllSelected.Add(indices[at]);
        }

        protected override object Row(int at)
        {
            object text = TextOf(list, items[at]);
            return hasTicks ? new[] { text, IsTicked.Ask(list, at) } : text;
        }

        protected override void End()
        {
            if (Rows.IsEditable) Rows.SelectedValue = Words.Scalar(ComboText.Of(list));
            else TakeSelected();
            items = null;
        }

        // As the list shows it; null: the app paints something else, and the text is but the name of a class.
        internal static object TextOf(object list, object item)
        {
            object plain = Words.Scalar(item);
            if (plain != null || item == null) return plain;
            var text = ItemText.Ask(list, item) as string;
            return text == item.GetType().FullName ? null : Words.Scalar(text);
        }
    }
}
