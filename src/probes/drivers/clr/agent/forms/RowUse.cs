using System;
using System.Collections;
using System.Collections.Generic;
using Substrate.Act;

namespace Substrate.Forms
{
    // Uses rows, choices and tabs as a person would.
    sealed class RowUse
    {
        static readonly Property ComboIndex = new Property("ComboBox", "SelectedIndex");
        static readonly Property Text = new Property("Control", "Text");
        static readonly Property TabIndex = new Property("TabControl", "SelectedIndex");
        static readonly Property ListIndex = new Property("ListBox", "SelectedIndex");
        static readonly Property ViewItems = new Property("ListView", "Items");
        static readonly Property ViewSelected = new Property("ListView", "SelectedIndices");
        static readonly Property ItemSelected = new Property("ListViewItem", "Selected");
        static readonly Property ItemFocused = new Property("ListViewItem", "Focused");
        static readonly Property ItemChecked = new Property("ListViewItem", "Checked");
        static readonly Property SelectedNode = new Property("TreeView", "SelectedNode");
        static readonly Property NodeChecked = new Property("TreeNode", "Checked");
        static readonly Property CurrentCell = new Property("DataGridView", "CurrentCell");
        static readonly Property CellReadOnly = new Property("DataGridViewCell", "ReadOnly");
        static readonly Property CellType = new Property("DataGridViewCell", "ValueType");
        static readonly Property CellValue = new Property("DataGridViewCell", "Value");
        static readonly Method ChangeCommitted = new Method("ComboBox", "OnSelectionChangeCommitted", "EventArgs");
        static readonly Method ClearSelected = new Method("ListView+SelectedIndexCollection", "Clear");
        static readonly Method ShowItem = new Method("ListView", "EnsureVisible", "Int32");
        static readonly Method Tick = new Method("CheckedListBox", "SetItemChecked", "Int32", "Boolean");
        static readonly Method Expand = new Method("TreeNode", "Expand");
        static readonly Method Collapse = new Method("TreeNode", "Collapse");
        static readonly Method ShowNode = new Method("TreeNode", "EnsureVisible");
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
                ComboIndex.Set(combo, at);
                ChangeCommitted.Call(combo, EventArgs.Empty);
                return;
            }
            if (!ListRows.IsEditable(combo)) throw UserInput.Unknown(wanted);
            Text.Set(combo, wanted);
        }

        void ShowTab(object tabs)
        {
            string wanted = input.Text("value");
            var titles = new TabRows(tabs);
            titles.Read(DateTime.MaxValue, int.MaxValue);
            int at = titles.Rows.Shown.IndexOf(wanted);
            if (at < 0) throw UserInput.Unknown(wanted);
            TabIndex.Set(tabs, at);
        }

        void UseList(object list)
        {
            int at = input.Index("index", ListRows.ItemsOf(list).Count);
            if (asked.Operation == "tick")
            {
                Tick.Call(list, at, input.Flag("value"));
                return;
            }
            ListIndex.Set(list, at);
            if (asked.Operation == "open") Openings.Raise(list, Kind.List, at, null);
        }

        void UseView(object view)
        {
            int at = input.Index("index", ListViewRows.CountOf(view));
            object item = ViewItems.List(view)[at];
            if (asked.Operation == "tick")
            {
                ItemChecked.Set(item, input.Flag("value"));
                return;
            }
            ClearSelected.Call(ViewSelected.Of(view));
            ItemSelected.Set(item, true);
            ItemFocused.Set(item, true);
            ShowItem.Call(view, at);
            if (asked.Operation == "open") Openings.Raise(view, Kind.ListView, at, null);
        }

        void UseTree(object tree)
        {
            List<object> nodes = TreeRows.Unfolded(tree);
            int at = input.Index("index", nodes.Count);
            object node = nodes[at];
            switch (asked.Operation)
            {
                case "expand": Expand.Call(node); return;
                case "collapse": Collapse.Call(node); return;
                case "tick": NodeChecked.Set(node, input.Flag("value")); return;
            }
            SelectedNode.Set(tree, node);
            ShowNode.Call(node);
            if (asked.Operation == "open") Openings.Raise(tree, Kind.Tree, at, node);
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
            CurrentCell.Set(grid, GridRows.CellOf(grid, row, columns[0]));
            if (asked.Operation == "open") Openings.Raise(grid, Kind.Grid, row, null);
        }

        void WriteCell(object cell)
        {
            if (CellReadOnly.Flag(cell))
                throw new NotDispatched("this cell of " + asked.Called + " cannot be written");
            CellValue.Set(cell, input.As("value", CellType.Of(cell) as Type));
        }
    }
}
