import java.awt.Component;
import java.awt.GridLayout;
import javax.swing.BorderFactory;
import javax.swing.DefaultListCellRenderer;
import javax.swing.DefaultListModel;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JPanel;
import javax.swing.JTable;
import javax.swing.JTree;
import javax.swing.SwingUtilities;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.swing.tree.DefaultTreeCellRenderer;

/** Shows objects that have no text of their own: by renderers, by a field that names them, or by neither. */
public final class Depot {
    private Depot() {}

    static class Crate {
        private final String name;
        private final String code;

        Crate(String name, String code) {
            this.name = name;
            this.code = code;
        }
    }

    static final class Pallet {
        private final int weight = 40;
    }

    /** Its text is that of what it holds. */
    static final class Tagged {
        private final Object inner;

        Tagged(Object inner) {
            this.inner = inner;
        }

        @Override
        public String toString() {
            return inner.toString();
        }
    }

    private static JPanel titled(String title, JComponent inner) {
        JPanel panel = new JPanel(new GridLayout(1, 1));
        panel.setBorder(BorderFactory.createTitledBorder(title));
        panel.add(inner);
        return panel;
    }

    private static JTree treeOf(Object... held) {
        DefaultMutableTreeNode root = new DefaultMutableTreeNode(new Crate("root", "R"));
        for (Object each : held) root.add(new DefaultMutableTreeNode(each));
        return new JTree(root);
    }

    private static void show() {
        JFrame frame = new JFrame("Depot");
        frame.setLayout(new GridLayout(0, 2));
        DefaultListModel<Object> crates = new DefaultListModel<>();
        crates.addElement(new Crate("Pears", "P1"));
        crates.addElement(new Pallet());
        crates.addElement(new Crate("", "P2") {});
        crates.addElement("ada@cafe");
        frame.add(titled("Crates", new JList<>(crates)));

        JComboBox<Object> rendered = new JComboBox<>(new Object[] {new Crate("Plums", "C7"), new Crate("Figs", "C8")});
        rendered.setRenderer(new DefaultListCellRenderer() {
            private static final long serialVersionUID = 1L;

            @Override
            public Component getListCellRendererComponent(JList<?> list, Object value, int at, boolean on, boolean has) {
                JPanel panel = new JPanel();
                panel.add(new JLabel("crate " + ((Crate) value).code));
                return panel;
            }
        });
        frame.add(titled("Choice", rendered));

        frame.add(titled("Places", treeOf(new Crate("North", "N"), new Pallet(), "South")));
        JTree tree = treeOf(new Tagged(new Crate("Hidden", "T1")));
        tree.setCellRenderer(new DefaultTreeCellRenderer() {
            private static final long serialVersionUID = 1L;

            @Override
            public Component getTreeCellRendererComponent(JTree in, Object node, boolean is, boolean open, boolean leaf,
                int row, boolean has) {
                super.getTreeCellRendererComponent(in, node, is, open, leaf, row, has);
                Object held = ((DefaultMutableTreeNode) node).getUserObject();
                setText(held instanceof Crate ? "the " + ((Crate) held).name : "tagged");
                return this;
            }
        });
        frame.add(titled("Rendered", tree));
        frame.add(titled("Sheet", new JTable(new Object[][] {{new Crate("Nuts", "S1"), 3}}, new Object[] {"Crate", "Count"})));
        frame.setSize(500, 500);
        frame.setVisible(true);
        System.out.println("ready");
    }

    public static void main(String[] args) {
        SwingUtilities.invokeLater(Depot::show);
    }
}
