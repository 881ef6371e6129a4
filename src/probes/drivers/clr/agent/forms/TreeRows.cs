using System.Collections;
using System.Collections.Generic;
using static Substrate.Forms.Property;

namespace Substrate.Forms
{
    // The expanded rows of a tree, each with its path: `Colours / red`.
    sealed class TreeRows : RowReader
    {
        const int MaxRows = 10000;
        const int MaxDepth = 100;
        List<object> nodes;

        internal TreeRows(object tree) : base(tree) { }

        // The rows from top to bottom.
        internal static List<object> Unfolded(object tree)
        {
            var found = new List<object>();
            Add(List(tree, "TreeView.Nodes"), found, 0);
            return found;
        }

        static void Add(IList children, List<object> found, int depth)
        {
            for (int at = 0; children != null && at < children.Count && found.Count < MaxRows; at++)
            {
                found.Add(children[at]);
                bool isOpen = depth < MaxDepth && Flag(children[at], "TreeNode.IsExpanded");
                if (isOpen) Add(List(children[at], "TreeNode.Nodes"), found, depth + 1);
            }
        }

        protected override void Start()
        {
            nodes = Unfolded(Control);
            Rows.Total = nodes.Count;
            Rows.HasTicks = Flag(Control, "TreeView.CheckBoxes");
            if (Rows.HasTicks) Rows.Columns = new[] { "item", "checked" };
            object selected = Of(Control, "TreeView.SelectedNode");
            for (int at = 0; selected != null && at < nodes.Count; at++)
                if (ReferenceEquals(nodes[at], selected)) Rows.Selected = at;
            if (selected != null) Rows.SelectedValue = WayTo(selected);
        }

        protected override object Row(int at)
        {
            string way = WayTo(nodes[at]);
            return Rows.HasTicks ? new object[] { way, Flag(nodes[at], "TreeNode.Checked") } : (object)way;
        }

        static string WayTo(object node)
        {
            string way = Text(node, "TreeNode.Text") ?? "";
            object above = Of(node, "TreeNode.Parent");
            for (int depth = 0; above != null && depth <= MaxDepth; depth++, above = Of(above, "TreeNode.Parent"))
                way = Text(above, "TreeNode.Text") + " / " + way;
            return Words.Shorten(way, Words.MaxText);
        }
    }
}
