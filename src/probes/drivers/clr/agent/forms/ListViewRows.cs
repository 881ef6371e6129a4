using System;
using System.Collections;
using System.Collections.Generic;

namespace Substrate.Forms
{
    // Rows of a list view, with their columns where it shows some.
    sealed class ListViewRows : RowReader
    {
        const int MaxSelected = 100;
        const int MaxColumns = 50;
        const int Details = 1;
        static readonly Property Items = new Property("ListView", "Items");
        static readonly Property VirtualMode = new Property("ListView", "VirtualMode");
        static readonly Property VirtualSize = new Property("ListView", "VirtualListSize");
        static readonly Property View = new Property("ListView", "View");
        static readonly Property ColumnHeaders = new Property("ListView", "Columns");
        static readonly Property HeaderText = new Property("ColumnHeader", "Text");
        static readonly Property Indices = new Property("ListView", "SelectedIndices");
        static readonly Property CheckBoxes = new Property("ListView", "CheckBoxes");
        static readonly Property ItemText = new Property("ListViewItem", "Text");
        static readonly Property ItemChecked = new Property("ListViewItem", "Checked");
        static readonly Property SubItems = new Property("ListViewItem", "SubItems");
        static readonly Property SubItemText = new Property("ListViewItem+ListViewSubItem", "Text");
        readonly object view;
        IList items;
        int columns;

        internal ListViewRows(object view)
        {
            this.view = view;
        }

        internal static int CountOf(object view)
        {
            if (VirtualMode.Flag(view)) return VirtualSize.Number(view);
            IList items = Items.List(view);
            return items == null ? 0 : items.Count;
        }

        protected override void Start()
        {
            items = Items.List(view);
            Rows.Total = items == null ? 0 : CountOf(view);
            Rows.HasTicks = CheckBoxes.Flag(view);
            ReadColumns();
            IList indices = Indices.List(view);
            for (int at = 0; indices != null && at < indices.Count && at < MaxSelected; at++)
                Rows.AllSelected.Add(indices[at]);
            if (Rows.AllSelected.Count > 0) Rows.Selected = (int)Rows.AllSelected[0];
        }

        void ReadColumns()
        {
            IList headers = View.Number(view) == Details ? ColumnHeaders.List(view) : null;
            bool hasHeaders = headers != null && headers.Count > 0;
            if (!hasHeaders && !Rows.HasTicks) return;
            columns = hasHeaders ? Math.Min(headers.Count, MaxColumns) : 0;
            var titles = new List<string>();
            if (!hasHeaders) titles.Add("item");
            for (int at = 0; at < columns; at++) titles.Add(HeaderText.Text(headers[at]) ?? "");
            if (Rows.HasTicks) titles.Add("checked");
            Rows.Columns = titles.ToArray();
        }

        protected override object Row(int at)
        {
            object item = items[at];
            if (Rows.Columns == null) return Words.Scalar(ItemText.Text(item) ?? "");
            var cells = new object[Rows.Columns.Length];
            cells[0] = Words.Scalar(ItemText.Text(item) ?? "");
            IList parts = SubItems.List(item);
            for (int column = 1; column < columns; column++)
            {
                bool isThere = parts != null && column < parts.Count;
                cells[column] = isThere ? Words.Scalar(SubItemText.Text(parts[column]) ?? "") : "";
            }
            if (Rows.HasTicks) cells[cells.Length - 1] = ItemChecked.Flag(item);
            return cells;
        }

        protected override void End()
        {
            if (Rows.Columns == null) TakeSelected();
            items = null;
        }
    }
}
