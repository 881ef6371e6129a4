using System;
using System.Collections;
using System.Collections.Generic;
using Substrate.Act;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // Uses rows, choices and tabs as a person would.
    sealed class RowUse
    {
        readonly Performer asked;
        readonly UserInput input;

        internal RowUse(Performer asked)
        {
            this.asked = asked;
            input = asked.Input;
        }

        internal void Perform(object control)
        {
            switch (asked.Widget.Kind)
            {
                case Kind.Combo: Choose(control); return;
                case Kind.Tabs: ShowTab(control); return;
                case Kind.List: UseList(control); return;
                case Kind.ListView: UseView(control); return;
                case Kind.Tree: UseTree(control); return;
                default: UseGrid(control); return;
            }
        }

        void Choose(object combo)
        {
            if (asked.Operation == "submit")
            {
                ControlUse.Submit(combo);
                return;
            }
            string wanted = input.Text("value");
            IList items = ListRows.ItemsOf(combo);
            for (int at = 0; at < items.Count; at++)
            {
                if (Words.TextOf(ListRows.TextOf(combo, items[at])) != wanted) continue;
                Set(combo, "ComboBox.SelectedIndex", at);
                Method.Call(combo, "ComboBox.OnSelectionChangeCommitted", EventArgs.Empty);
                return;
            }
            if (!ListRows.IsEditable(combo)) throw UserInput.Unknown(wanted);
            Set(combo, "Control.Text", wanted);
        }

        void ShowTab(object tabs)
        {
            string wanted = input.Text("value");
            var titles = new TabRows(tabs);
            titles.Read(DateTime.MaxValue, int.MaxValue);
            int at = titles.Rows.Shown.IndexOf(wanted);
            if (at < 0) throw UserInput.Unknown(wanted);
            Set(tabs, "TabControl.SelectedIndex", at);
        }

        void UseList(object list)
        {
            int at = input.Index("index", ListRows.ItemsOf(list).Count);
            if (asked.Operation == "tick")
            {
                Method.Call(list, "CheckedListBox.SetItemChecked", at, input.Flag("value"));
                return;
            }
            Set(list, "ListBox.SelectedIndex", at);
            if (asked.Operation == "open") DoubleClicks.Raise(list, Kind.List, at, null);
        }

        void UseView(object view)
        {
            int at = input.Index("index", ListViewRows.CountOf(view));
            object item = List(view, "ListView.Items")[at];
            if (asked.Operation == "tick")
            {
                Set(item, "ListViewItem.Checked", input.Flag("value"));
                return;
            }
            Method.Call(Of(view, "ListView.SelectedIndices"), "ListView+SelectedIndexCollection.Clear");
            Set(item, "ListViewItem.Selected", true);
            Set(item, "ListViewItem.Focused", true);
            Method.Call(view, "ListView.EnsureVisible", at);
            if (asked.Operation == "open") DoubleClicks.Raise(view, Kind.ListView, at, null);
        }

        void UseTree(object tree)
        {
            List<object> nodes = TreeRows.Unfolded(tree);
            int at = input.Index("index", nodes.Count);
            object node = nodes[at];
            switch (asked.Operation)
            {
                case "expand": Method.Call(node, "TreeNode.Expand"); return;
                case "collapse": Method.Call(node, "TreeNode.Collapse"); return;
                case "tick": Set(node, "TreeNode.Checked", input.Flag("value")); return;
            }
            Set(tree, "TreeView.SelectedNode", node);
            Method.Call(node, "TreeNode.EnsureVisible");
            if (asked.Operation == "open") DoubleClicks.Raise(tree, Kind.Tree, at, node);
        }

        void UseGrid(object grid)
        {
            string[] titles;
            int[] columns = GridRows.ColumnsOf(grid, out titles);
            bool isCell = asked.Operation == "set_cell";
            int row = input.Index(isCell ? "row" : "index", GridRows.CountOf(grid));
            if (columns.Length == 0) throw asked.Gone("shows no column");
            if (isCell)
            {
                object column = input.Any("column");
                int at = column is long && (long)column < titles.Length ? (int)(long)column : 0;
                if (titles[at] != input.Text("title")) throw asked.Gone("has other columns now");
                WriteCell(GridRows.CellOf(grid, row, columns[at]));
                return;
            }
            Set(grid, "DataGridView.CurrentCell", GridRows.CellOf(grid, row, columns[0]));
            if (asked.Operation == "open") DoubleClicks.Raise(grid, Kind.Grid, row, null);
        }

        void WriteCell(object cell)
        {
            if (Flag(cell, "DataGridViewCell.ReadOnly"))
                throw new NotDispatched("this cell of " + asked.Called + " cannot be written");
            Set(cell, "DataGridViewCell.Value", input.As("value", Of(cell, "DataGridViewCell.ValueType") as Type));
        }
    }
}
