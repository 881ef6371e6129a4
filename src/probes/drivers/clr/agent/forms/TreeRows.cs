using System.Collections;
using System.Collections.Generic;

namespace Substrate.Forms
{
    // The rows of a tree that are unfolded; each is written with the way to it: `Colours / red`.
    sealed class TreeRows : RowReader
    {
        const int MaxRows = 10000;
        const int MaxDepth = 100;
        static readonly Property TreeNodes = new Property("TreeView", "Nodes");
        static readonly Property SelectedNode = new Property("TreeView", "SelectedNode");
        static readonly Property CheckBoxes = new Property("TreeView", "CheckBoxes");
        static readonly Property Nodes = new Property("TreeNode", "Nodes");
        static readonly Property IsExpanded = new Property("TreeNode", "IsExpanded");
        static readonly Property Text = new Property("TreeNode", "Text");
        static readonly Property Parent = new Property("TreeNode", "Parent");
        static readonly Property Checked = new Property("TreeNode", "Checked");
        readonly object tree;
        List<object> nodes;

        internal TreeRows(object tree)
        {
            this.tree = tree;
        }

        // From top to bottom.
        internal static List<object> Unfolded(object tree)
        {
            var found = new List<object>();
            Add(TreeNodes.List(tree), found, 0);
            return found;
        }

        static void Add(IList children, List<object> found, int depth)
        {
            for (int at = 0; children != null && at < children.Count && found.Count < MaxRows; at++)
            {
                found.Add(children[at]);
                if (depth < MaxDepth && IsExpanded.Flag(children[at])) Add(Nodes.List(children[at]), found, depth + 1);
            }
        }

        protected override void Start()
        {
            nodes = Unfolded(tree);
            Rows.Total = nodes.Count;
            Rows.HasTicks = CheckBoxes.Flag(tree);
            if (Rows.HasTicks) Rows.Columns = new[] { "item", "checked" };
            object selected = SelectedNode.Of(tree);
            for (int at = 0; selected != null && at < nodes.Count; at++)
                if (ReferenceEquals(nodes[at], selected)) Rows.Selected = at;
            if (selected != null) Rows.SelectedValue = WayTo(selected);
        }

        protected override object Row(int at)
        {
            string way = WayTo(nodes[at]);
            return Rows.HasTicks ? new object[] { way, Checked.Flag(nodes[at]) } : (object)way;
        }

        protected override void End()
        {
            nodes = null;
        }

        static string WayTo(object node)
        {
            string way = Text.Text(node) ?? "";
            object above = Parent.Of(node);
            for (int depth = 0; above != null && depth <= MaxDepth; depth++, above = Parent.Of(above))
                way = Text.Text(above) + " / " + way;
            return Words.Shorten(way, Words.MaxText);
        }
    }
}
