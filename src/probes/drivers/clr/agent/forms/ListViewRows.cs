using System;
using System.Collections;
using System.Collections.Generic;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Rows of a list view, with its columns if it shows some.
    sealed class ListViewRows : RowReader
    {
        const int MaxSelected = 100;
        const int MaxColumns = 50;
        const int Details = 1;
        IList items;
        int columns;

        internal ListViewRows(object view) : base(view) { }

        internal static int CountOf(object view)
        {
            if (Flag(view, "ListView.VirtualMode")) return Number(view, "ListView.VirtualListSize");
            IList items = List(view, "ListView.Items");
            return items == null ? 0 : items.Count;
        }

        protected override void Start()
        {
            items = List(Control, "ListView.Items");
            Rows.Total = items == null ? 0 : CountOf(Control);
            Rows.HasTicks = Flag(Control, "ListView.CheckBoxes");
            ReadColumns();
            IList indices = List(Control, "ListView.SelectedIndices");
            for (int at = 0; indices != null && at < indices.Count && at < MaxSelected; at++)
                Rows.AllSelected.Add(indices[at]);
            if (Rows.AllSelected.Count > 0) Rows.Selected = (int)Rows.AllSelected[0];
        }

        void ReadColumns()
        {
            IList headers = Number(Control, "ListView.View") == Details ? List(Control, "ListView.Columns") : null;
            bool hasHeaders = headers != null && headers.Count > 0;
            if (!hasHeaders && !Rows.HasTicks) return;
            columns = hasHeaders ? Math.Min(headers.Count, MaxColumns) : 0;
            var titles = new List<string>();
            if (!hasHeaders) titles.Add("item");
            for (int at = 0; at < columns; at++) titles.Add(Text(headers[at], "ColumnHeader.Text") ?? "");
            if (Rows.HasTicks) titles.Add("checked");
            Rows.Columns = titles.ToArray();
        }

        protected override object Row(int at)
        {
            object item = items[at];
            if (Rows.Columns == null) return Words.Scalar(Text(item, "ListViewItem.Text") ?? "");
            var cells = new object[Rows.Columns.Length];
            cells[0] = Words.Scalar(Text(item, "ListViewItem.Text") ?? "");
            IList parts = List(item, "ListViewItem.SubItems");
            for (int column = 1; column < columns; column++)
            {
                object part = parts != null && column < parts.Count ? parts[column] : null;
                cells[column] = Words.Scalar(Text(part, "ListViewItem+ListViewSubItem.Text") ?? "");
            }
            if (Rows.HasTicks) cells[cells.Length - 1] = Flag(item, "ListViewItem.Checked");
            return cells;
        }

        protected override void End()
        {
            if (Rows.Columns == null) TakeSelected();
        }
    }
}
