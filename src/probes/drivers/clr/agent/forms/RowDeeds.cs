using System;
using System.Collections;
using System.Collections.Generic;
using Substrate.Act;

namespace Substrate.Forms
{
    /// <summary>Uses rows, choices and tabs as a person would.</summary>
    sealed class RowDeeds
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
        readonly Target target;
        readonly Given given;

        internal RowDeeds(Target target, Given given)
        {
            this.target = target;
            this.given = given;
        }

        internal void Perform(object control)
        {
            switch (target.Kind)
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
            if (target.Deed == Deed.Submit)
            {
                ControlDeeds.Submit(combo);
                return;
            }
            string wanted = given.Text("value");
            IList items = ListRows.ItemsOf(combo);
            for (int at = 0; at < items.Count; at++)
            {
                if (Given.TextOf(ListRows.TextOf(combo, items[at])) != wanted) continue;
                ComboIndex.Set(combo, at);
                ChangeCommitted.Call(combo, EventArgs.Empty);
                return;
            }
            if (!ListRows.IsEditable(combo)) throw Given.Unknown("value", wanted);
            Text.Set(combo, wanted);
        }

        void ShowTab(object tabs)
        {
            string wanted = given.Text("value");
            var titles = new TabRows(tabs);
            titles.Read(DateTime.MaxValue, int.MaxValue);
            int at = titles.Rows.Shown.IndexOf(wanted);
            if (at < 0) throw Given.Unknown("value", wanted);
            TabIndex.Set(tabs, at);
        }

        void UseList(object list)
        {
            int at = given.Index("index", ListRows.ItemsOf(list).Count);
            if (target.Deed == Deed.Tick)
            {
                Tick.Call(list, at, given.Flag("value"));
                return;
            }
            ListIndex.Set(list, at);
            if (target.Deed == Deed.Open) Openings.Raise(list, Kind.List, at, null);
        }

        void UseView(object view)
        {
            int at = given.Index("index", ListViewRows.CountOf(view));
            object item = ViewItems.List(view)[at];
            if (target.Deed == Deed.Tick)
            {
                ItemChecked.Set(item, given.Flag("value"));
                return;
            }
            ClearSelected.Call(ViewSelected.Of(view));
            ItemSelected.Set(item, true);
            ItemFocused.Set(item, true);
            ShowItem.Call(view, at);
            if (target.Deed == Deed.Open) Openings.Raise(view, Kind.ListView, at, null);
        }

        void UseTree(object tree)
        {
            List<object> nodes = TreeRows.Unfolded(tree);
            int at = given.Index("index", nodes.Count);
            object node = nodes[at];
            switch (target.Deed)
            {
                case Deed.Expand: Expand.Call(node); return;
                case Deed.Collapse: Collapse.Call(node); return;
                case Deed.Tick: NodeChecked.Set(node, given.Flag("value")); return;
            }
            SelectedNode.Set(tree, node);
            ShowNode.Call(node);
            if (target.Deed == Deed.Open) Openings.Raise(tree, Kind.Tree, at, node);
        }

        void UseGrid(object grid)
        {
            string[] names;
            int[] columns = GridRows.ColumnsOf(grid, out names);
            bool isCell = target.Deed == Deed.SetCell;
            int row = given.Index(isCell ? "row" : "index", GridRows.CountOf(grid));
            if (columns.Length == 0) throw new NotDispatched(target.Called + " shows no column");
            if (isCell)
            {
                string wanted = given.Text("column");
                int column = Array.IndexOf(names, wanted);
                if (column < 0) throw Given.Unknown("column", wanted);
                WriteCell(GridRows.CellOf(grid, row, columns[column]));
                return;
            }
            CurrentCell.Set(grid, GridRows.CellOf(grid, row, columns[0]));
            if (target.Deed == Deed.Open) Openings.Raise(grid, Kind.Grid, row, null);
        }

        void WriteCell(object cell)
        {
            if (CellReadOnly.Flag(cell))
                throw new NotDispatched("this cell of " + target.Called + " cannot be written");
            CellValue.Set(cell, given.As("value", CellType.Of(cell) as Type));
        }
    }
}
