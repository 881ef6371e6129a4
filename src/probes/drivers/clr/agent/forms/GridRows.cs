using System;
using System.Collections;
using System.Collections.Generic;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Rows of a grid in the order of the screen, with the visible columns.
    sealed class GridRows : RowReader
    {
        const int MaxColumns = 50;
        IList rows;
        int[] shownColumns;

        internal GridRows(object grid) : base(grid) { }

        // The count without the empty row at the end, which takes a new one.
        internal static int CountOf(object grid)
        {
            IList rows = List(grid, "DataGridView.Rows");
            if (rows == null) return 0;
            object empty = Of(grid, "DataGridView.NewRowIndex");
            return empty is int && (int)empty >= 0 ? Math.Min(rows.Count, (int)empty) : rows.Count;
        }

        // Indices of the visible columns, from left to right.
        internal static int[] ColumnsOf(object grid, out string[] titles)
        {
            IList columns = List(grid, "DataGridView.Columns");
            var seen = new List<int>();
            for (int at = 0; columns != null && at < columns.Count && seen.Count < MaxColumns; at++)
                if (Flag(columns[at], "DataGridViewColumn.Visible")) seen.Add(at);
            seen.Sort((one, other) => PlaceOf(columns[one]).CompareTo(PlaceOf(columns[other])));
            titles = new string[seen.Count];
            for (int at = 0; at < titles.Length; at++)
                titles[at] = TitleOf(columns[seen[at]]);
            return seen.ToArray();
        }

        static int PlaceOf(object column) => Number(column, "DataGridViewColumn.DisplayIndex");

        static string TitleOf(object column) =>
            Text(column, "DataGridViewColumn.HeaderText") ?? Text(column, "DataGridViewColumn.Name") ?? "";

        internal static object CellOf(object grid, int row, int column) =>
            List(List(grid, "DataGridView.Rows")[row], "DataGridViewRow.Cells")[column];

        protected override void Start()
        {
            rows = List(Control, "DataGridView.Rows");
            Rows.Total = CountOf(Control);
            shownColumns = ColumnsOf(Control, out Rows.Columns);
            Rows.IsEditable = !Flag(Control, "DataGridView.ReadOnly");
            object current = Of(Of(Control, "DataGridView.CurrentRow"), "DataGridViewBand.Index");
            if (current is int && (int)current < Rows.Total) Rows.Selected = (int)current;
        }

        protected override object Row(int at)
        {
            IList cells = List(rows[at], "DataGridViewRow.Cells");
            var values = new object[shownColumns.Length];
            for (int column = 0; column < values.Length; column++)
            {
                object cell = cells[shownColumns[column]];
                object value = Of(cell, "DataGridViewCell.Value");
                object shown = Words.Scalar(value);
                if (value != null && shown == null) shown = Words.Scalar(Of(cell, "DataGridViewCell.FormattedValue"));
                values[column] = shown;
            }
            return values;
        }
    }
}
