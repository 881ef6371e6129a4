package substrate.agent.swing;

import java.util.ArrayList;
import java.util.List;
import javax.swing.JTree;
import javax.swing.plaf.TreeUI;
import javax.swing.tree.TreeCellRenderer;
import javax.swing.tree.TreePath;
import javax.swing.tree.TreeSelectionModel;
import substrate.agent.screen.Fields;
import substrate.agent.screen.RowReader;
import substrate.agent.screen.Text;

/** The expanded rows of a tree, each with its path: `Colours / red`. */
final class TreeRows extends RowReader {
    private final JTree tree;
    private TreeUI ui;
    private boolean isRootVisible;
    /** The texts on the path to the last row. */
    private final List<String> way = new ArrayList<String>();

    TreeRows(Object tree) {
        this.tree = (JTree) tree;
    }

    @Override
    protected void start() {
        ui = (TreeUI) Fields.of(tree, "javax.swing.JComponent.ui");
        isRootVisible = Fields.flag(tree, "javax.swing.JTree.rootVisible");
        rows.total = ui == null ? 0 : ui.getRowCount(tree);
    }

    @Override
    protected Object row(int at) {
        TreePath path = ui.getPathForRow(tree, at);
        if (path == null) return null;
        int depth = path.getPathCount() - (isRootVisible ? 1 : 2);
        while (way.size() > Math.max(depth, 0)) way.remove(way.size() - 1);
        String text = textOf(path.getLastPathComponent(), at);
        String whole = way.isEmpty() ? text : Text.shorten(way.get(way.size() - 1) + " / " + text, Text.MAX_TEXT);
        way.add(whole);
        return whole;
    }

    private String textOf(Object node, int row) {
        Object text = textOf(node);
        if (text != NO_TEXT) return String.valueOf(text);
        TreeCellRenderer renderer = tree.getCellRenderer();
        return String.valueOf(
            Rendered.by(renderer.getTreeCellRendererComponent(tree, node, false, false, false, row, false), node));
    }

    @Override
    protected void end() {
        Object selection = Fields.of(tree, "javax.swing.JTree.selectionModel");
        boolean isModel = selection instanceof TreeSelectionModel;
        TreePath path = isModel ? ((TreeSelectionModel) selection).getSelectionPath() : null;
        if (path != null && ui != null) {
            rows.selected = ui.getRowForPath(tree, path);
            boolean isShown = rows.selected >= 0 && rows.selected < rows.shown.size();
            rows.selectedValue =
                isShown ? rows.shown.get(rows.selected) : textOf(path.getLastPathComponent(), rows.selected);
        }
    }
}
