using System;
using System.Collections.Generic;
using System.Text;

namespace Substrate.Forms
{
    // Reads rows one by one, so that a long list can be read in several pieces. Code of the app (texts of its objects,
    // rows made on demand) is called only as painting calls it. Runs on the window's thread.
    abstract class RowReader
    {
        const int MaxCharacters = 500000;
        internal readonly Rows Rows = new Rows();
        protected readonly object Control;
        internal TimeSpan Time;
        bool isStarted;
        int characters;

        protected RowReader(object control)
        {
            Control = control;
        }

        // Sets the total and the selection.
        protected abstract void Start();

        protected abstract object Row(int at);

        // Called after the last row.
        protected virtual void End() { }

        // Reads on until the time is over; false if there is more.
        internal bool Read(DateTime until, int maxRows)
        {
            DateTime began = DateTime.UtcNow;
            if (!isStarted) Start();
            isStarted = true;
            bool isDone = false;
            while (!isDone)
            {
                isDone = Rows.Shown.Count >= Math.Min(Rows.Total, maxRows) || characters > MaxCharacters;
                if (isDone) End();
                else
                {
                    object row = Row(Rows.Shown.Count);
                    foreach (object cell in row as object[] ?? new[] { row })
                        if (cell is string) characters += ((string)cell).Length;
                    Rows.Shown.Add(row);
                    if (DateTime.UtcNow > until) break;
                }
            }
            Time += DateTime.UtcNow - began;
            return isDone;
        }

        // Reports the selected row, where it was read with the others or can be read now.
        protected void TakeSelected()
        {
            if (Rows.Selected < 0 || Rows.Selected >= Rows.Total) return;
            bool isShown = Rows.Selected < Rows.Shown.Count;
            Rows.SelectedValue = isShown ? Rows.Shown[Rows.Selected] : Row(Rows.Selected);
        }

        internal static RowReader For(Kind kind, object control)
        {
            switch (kind)
            {
                case Kind.Combo: case Kind.List: return new ListRows(control);
                case Kind.ListView: return new ListViewRows(control);
                case Kind.Grid: return new GridRows(control);
                case Kind.Tree: return new TreeRows(control);
                case Kind.Tabs: return new TabRows(control);
                default: return null;
            }
        }
    }

    // Rows of a table, tree or list, or the choices of a combo box, as texts, numbers and booleans.
    sealed class Rows
    {
        // The columns of a table; null if a row is one value.
        internal string[] Columns;
        // A value, or for a table an object[] of them.
        internal readonly List<object> Shown = new List<object>();
        // The number of rows, shown or not.
        internal int Total;
        // Index of the selected row; -1 if there is none.
        internal int Selected = -1;
        internal readonly List<object> AllSelected = new List<object>();
        internal object SelectedValue;
        // True if a cell is editable; for a combo box, if it takes any text.
        internal bool IsEditable;
        // True if rows can be ticked.
        internal bool HasTicks;

        internal void Write(StringBuilder json)
        {
            json.Append(",\"rows\":{\"total\":").Append(Total);
            Widget.Write(json, "shown", Shown);
            if (Columns != null) Widget.Write(json, "columns", Columns);
            if (Selected >= 0) Widget.Write(json, "selected", Selected);
            if (AllSelected.Count > 1) Widget.Write(json, "allSelected", AllSelected);
            if (SelectedValue != null) Widget.Write(json, "selectedValue", SelectedValue);
            if (IsEditable) Widget.Write(json, "editable", true);
            if (HasTicks) Widget.Write(json, "ticks", true);
            json.Append('}');
        }
    }
}
