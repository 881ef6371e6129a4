using System;
using System.Collections;
using System.Collections.Generic;

namespace Substrate.Forms
{
    // Rows of a grid as they stand on the screen, with the columns that are seen.
    sealed class GridRows : RowReader
    {
        const int MaxColumns = 50;
        static readonly Property Columns = new Property("DataGridView", "Columns");
        static readonly Property GridRowList = new Property("DataGridView", "Rows");
        static readonly Property NewRow = new Property("DataGridView", "NewRowIndex");
        static readonly Property ReadOnly = new Property("DataGridView", "ReadOnly");
        static readonly Property CurrentRow = new Property("DataGridView", "CurrentRow");
        static readonly Property RowIndex = new Property("DataGridViewBand", "Index");
        static readonly Property Header = new Property("DataGridViewColumn", "HeaderText");
        static readonly Property ColumnName = new Property("DataGridViewColumn", "Name");
        static readonly Property ColumnVisible = new Property("DataGridViewColumn", "Visible");
        static readonly Property Place = new Property("DataGridViewColumn", "DisplayIndex");
        static readonly Property Cells = new Property("DataGridViewRow", "Cells");
        static readonly Property Value = new Property("DataGridViewCell", "Value");
        static readonly Property Formatted = new Property("DataGridViewCell", "FormattedValue");
        readonly object grid;
        IList rows;
        int[] shownColumns;

        internal GridRows(object grid)
        {
            this.grid = grid;
        }

        // Without the empty row at the end, into which a new one is written.
        internal static int CountOf(object grid)
        {
            IList rows = GridRowList.List(grid);
            if (rows == null) return 0;
            object empty = NewRow.Of(grid);
            return empty is int && (int)empty >= 0 ? Math.Min(rows.Count, (int)empty) : rows.Count;
        }

        // Indices of the columns that are seen, from left to right.
        internal static int[] ColumnsOf(object grid, out string[] titles)
        {
            IList columns = Columns.List(grid);
            var seen = new List<int>();
            for (int at = 0; columns != null && at < columns.Count && seen.Count < MaxColumns; at++)
                if (ColumnVisible.Flag(columns[at])) seen.Add(at);
            seen.Sort((one, other) => Place.Number(columns[one]).CompareTo(Place.Number(columns[other])));
            titles = new string[seen.Count];
            for (int at = 0; at < titles.Length; at++)
                titles[at] = Header.Text(columns[seen[at]]) ?? ColumnName.Text(columns[seen[at]]) ?? "";
            return seen.ToArray();
        }

        internal static object CellOf(object grid, int row, int column)
        {
            return Cells.List(GridRowList.List(grid)[row])[column];
        }

        protected override void Start()
        {
            rows = GridRowList.List(grid);
            Rows.Total = CountOf(grid);
            shownColumns = ColumnsOf(grid, out Rows.Columns);
            Rows.IsEditable = !ReadOnly.Flag(grid);
            object current = RowIndex.Of(CurrentRow.Of(grid));
            if (current is int && (int)current < Rows.Total) Rows.Selected = (int)current;
        }

        protected override object Row(int at)
        {
            IList cells = Cells.List(rows[at]);
            var values = new object[shownColumns.Length];
            for (int column = 0; column < values.Length; column++)
            {
                object cell = cells[shownColumns[column]];
                object value = Value.Of(cell);
                values[column] = value == null ? null : Words.Scalar(value) ?? Words.Scalar(Formatted.Of(cell));
            }
            return values;
        }

        protected override void End()
        {
            rows = null;
        }
    }
}
