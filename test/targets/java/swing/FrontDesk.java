import java.awt.BorderLayout;
import java.awt.FlowLayout;
import java.awt.GridBagConstraints;
import java.awt.GridBagLayout;
import java.awt.GridLayout;
import java.util.concurrent.atomic.AtomicInteger;
import javax.swing.BorderFactory;
import javax.swing.ButtonGroup;
import javax.swing.DefaultListModel;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JCheckBoxMenuItem;
import javax.swing.JComboBox;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JOptionPane;
import javax.swing.JPanel;
import javax.swing.JPasswordField;
import javax.swing.JProgressBar;
import javax.swing.JRadioButton;
import javax.swing.JScrollPane;
import javax.swing.JSlider;
import javax.swing.JSpinner;
import javax.swing.JTabbedPane;
import javax.swing.JTable;
import javax.swing.JTextArea;
import javax.swing.JTextField;
import javax.swing.JTree;
import javax.swing.SpinnerNumberModel;
import javax.swing.SwingUtilities;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.table.AbstractTableModel;
import javax.swing.table.DefaultTableModel;
import javax.swing.tree.DefaultMutableTreeNode;

/** A window with a form, tables, a tree, a menu and dialogs. Writes a line to its output for what its listeners are told. */
public final class FrontDesk extends JFrame {
    private static final long serialVersionUID = 1L;
    static final AtomicInteger modelCalls = new AtomicInteger();

    private final JTextField customerField = new JTextField("Ada", 15);
    private final JPasswordField passwordField = new JPasswordField("tops3cret", 10);
    private final JTextField txtAmount = new JTextField("12.50", 8);
    private final JTextField noteField = new JTextField("plain", 8);
    private final JCheckBox expressBox = new JCheckBox("Express delivery");
    private final JComboBox<String> sizeBox = new JComboBox<>(new String[] {"small", "medium", "large"});
    private final JSpinner copies = new JSpinner(new SpinnerNumberModel(2, 1, 9, 1));
    private final JSlider volume = new JSlider(0, 100, 30);
    private final JLabel statusLabel = new JLabel("Ready");
    private final JButton lockedButton = new JButton("Locked");
    private int saved;

    private FrontDesk() {
        super("Front desk");
        setDefaultCloseOperation(DISPOSE_ON_CLOSE);
        setJMenuBar(menus());
        JTabbedPane tabs = new JTabbedPane();
        tabs.addTab("Order", orderTab());
        tabs.addTab("Stock", stockTab());
        add(tabs, BorderLayout.CENTER);
        JPanel status = new JPanel(new FlowLayout(FlowLayout.LEFT));
        status.add(statusLabel);
        status.add(new JLabel("Total: 42.50"));
        JProgressBar progress = new JProgressBar();
        progress.setValue(40);
        progress.setName("upload progress");
        status.add(progress);
        add(status, BorderLayout.SOUTH);
        pack();
    }

    private JMenuBar menus() {
        JMenuBar bar = new JMenuBar();
        JMenu file = new JMenu("File");
        file.add(item("New order...", () -> status("new order")));
        JMenu export = new JMenu("Export");
        export.add(item("As CSV", () -> status("exported")));
        file.add(export);
        JMenuItem print = new JMenuItem("Print");
        print.setEnabled(false);
        file.add(print);
        JMenu view = new JMenu("View");
        JCheckBoxMenuItem grid = new JCheckBoxMenuItem("Show grid", true);
        grid.addActionListener(event -> status("grid " + grid.isSelected()));
        view.add(grid);
        bar.add(file);
        bar.add(view);
        return bar;
    }

    private static JMenuItem item(String text, Runnable work) {
        JMenuItem item = new JMenuItem(text);
        item.addActionListener(event -> work.run());
        return item;
    }

    private JPanel orderTab() {
        JPanel tab = new JPanel(new BorderLayout());
        JPanel form = new JPanel(new GridBagLayout());
        JLabel customer = new JLabel("Customer name:");
        customer.setLabelFor(customerField);
        row(form, 0, customer, customerField);
        row(form, 1, new JLabel("Password"), passwordField);
        row(form, 2, new JLabel("Size:"), sizeBox);
        row(form, 3, new JLabel("Copies:"), copies);
        row(form, 4, new JLabel("Volume:"), volume);
        row(form, 5, new JLabel(""), expressBox);
        row(form, 6, new JLabel(""), txtAmount);
        noteField.setEnabled(false);
        row(form, 7, new JLabel("Remark:"), noteField);
        customerField.addActionListener(event -> status("searched " + customerField.getText()));
        customerField.getDocument().addDocumentListener(new DocumentListener() {
            @Override
            public void insertUpdate(DocumentEvent event) {
                say("typed " + customerField.getText());
            }

            @Override
            public void removeUpdate(DocumentEvent event) {}

            @Override
            public void changedUpdate(DocumentEvent event) {}
        });
        expressBox.addItemListener(event -> status("express " + expressBox.isSelected()));
        sizeBox.addActionListener(event -> status("size " + sizeBox.getSelectedItem()));
        copies.addChangeListener(event -> status("copies " + copies.getValue()));
        tab.add(form, BorderLayout.NORTH);
        tab.add(buttons(), BorderLayout.SOUTH);
        tab.add(payment(), BorderLayout.EAST);
        JTextArea notes = new JTextArea("first line\nsecond line", 4, 20);
        JPanel notesPanel = new JPanel(new BorderLayout());
        notesPanel.add(new JLabel("Delivery notes"), BorderLayout.NORTH);
        notesPanel.add(new JScrollPane(notes));
        tab.add(notesPanel, BorderLayout.CENTER);
        return tab;
    }

    private static void row(JPanel form, int at, java.awt.Component left, java.awt.Component right) {
        GridBagConstraints place = new GridBagConstraints();
        place.gridy = at;
        place.anchor = GridBagConstraints.WEST;
        form.add(left, place);
        place.gridx = 1;
        form.add(right, place);
    }

    private JPanel payment() {
        JPanel panel = new JPanel(new GridLayout(0, 1));
        panel.setBorder(BorderFactory.createTitledBorder("Payment"));
        ButtonGroup group = new ButtonGroup();
        for (String text : new String[] {"Invoice", "Card"}) {
            JRadioButton radio = new JRadioButton(text, text.equals("Invoice"));
            radio.addActionListener(event -> status("payment " + text));
            group.add(radio);
            panel.add(radio);
        }
        return panel;
    }

    private JPanel buttons() {
        JPanel panel = new JPanel();
        panel.add(button("Save order", () -> status("saved " + ++saved)));
        panel.add(button("Fail", () -> {
            throw new IllegalStateException("no stock");
        }));
        panel.add(button("Hang", FrontDesk::hang));
        panel.add(button("Ask...", () -> {
            int answer = JOptionPane.showConfirmDialog(this, "Really order?", "Question", JOptionPane.OK_CANCEL_OPTION);
            status("answered " + answer);
        }));
        panel.add(button("Start", () -> say("started")));
        lockedButton.setEnabled(false);
        panel.add(lockedButton);
        return panel;
    }

    private static JButton button(String text, Runnable work) {
        JButton button = new JButton(text);
        button.addActionListener(event -> work.run());
        return button;
    }

    private static void hang() {
        say("hanging");
        try {
            Thread.sleep(2000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        say("hung");
    }

    private JPanel stockTab() {
        JPanel tab = new JPanel(new GridLayout(0, 2));
        DefaultTableModel plain = new DefaultTableModel(new Object[][] {{"tea", 3}, {"milk", 7}}, new Object[] {"Item", "In stock"});
        tab.add(titled("Shelf", new JTable(plain)));
        tab.add(titled("Ledger", new JTable(new Ledger())));
        DefaultMutableTreeNode root = new DefaultMutableTreeNode("Warehouse");
        DefaultMutableTreeNode north = new DefaultMutableTreeNode("North");
        north.add(new DefaultMutableTreeNode("Bay 1"));
        root.add(north);
        root.add(new DefaultMutableTreeNode("South"));
        tab.add(titled("Places", new JTree(root)));
        DefaultListModel<Supplier> suppliers = new DefaultListModel<>();
        suppliers.addElement(new Supplier("Lyon"));
        suppliers.addElement(new Supplier("Oslo"));
        JList<Supplier> list = new JList<>(suppliers);
        list.addListSelectionListener(event -> say("supplier " + list.getSelectedIndex()));
        tab.add(titled("Suppliers", list));
        return tab;
    }

    private static JScrollPane titled(String title, java.awt.Component component) {
        JScrollPane pane = new JScrollPane(component);
        pane.setBorder(BorderFactory.createTitledBorder(title));
        return pane;
    }

    private void status(String text) {
        statusLabel.setText(text);
        say(text);
    }

    static void say(String line) {
        System.out.println(line);
    }

    private static final class Supplier {
        private final String town;

        Supplier(String town) {
            this.town = town;
        }

        @Override
        public String toString() {
            return "Supplier in " + town;
        }
    }

    /** Far more rows than anyone sees; counts how often it is asked. */
    private static final class Ledger extends AbstractTableModel {
        private static final long serialVersionUID = 1L;

        @Override
        public int getRowCount() {
            return 1_000_000;
        }

        @Override
        public int getColumnCount() {
            return 2;
        }

        @Override
        public String getColumnName(int column) {
            return column == 0 ? "Entry" : "Amount";
        }

        @Override
        public Object getValueAt(int row, int column) {
            modelCalls.incrementAndGet();
            return column == 0 ? (Object) ("entry " + row) : (Object) (row * 10);
        }
    }

    public static void main(String[] args) {
        SwingUtilities.invokeLater(() -> {
            new FrontDesk().setVisible(true);
            say("ready");
        });
    }
}
