package substrate.agent.swing;

import java.util.List;
import javax.swing.ComboBoxModel;
import javax.swing.JList;
import javax.swing.ListCellRenderer;
import javax.swing.ListModel;
import javax.swing.ListSelectionModel;
import javax.swing.SingleSelectionModel;
import substrate.agent.screen.Fields;
import substrate.agent.screen.ObjectNames;
import substrate.agent.screen.RowReader;
import substrate.agent.screen.Rows;
import substrate.agent.screen.Text;

/** Rows of lists, the choices of combo boxes, and the titles of tabs. */
final class ListRows {
    private static final int MAX_SELECTED = 100;

    private ListRows() {}

    static RowReader ofList(final Object list) {
        return new RowReader() {
            private ListModel<?> model;

            @Override
            protected void start() {
                model = (ListModel<?>) Fields.of(list, "javax.swing.JList.dataModel");
                rows.total = model.getSize();
                select(rows, (ListSelectionModel) Fields.of(list, "javax.swing.JList.selectionModel"));
            }

            @Override
            protected Object row(int at) {
                Object value = model.getElementAt(at);
                Object text = textOf(value);
                return text != NO_TEXT ? text : renderedRow((JList<?>) list, value, at);
            }

            @Override
            protected void end() {
                if (rows.selected >= 0 && rows.selected < rows.total)
                    rows.selectedValue =
                        rows.selected < rows.shown.size() ? rows.shown.get(rows.selected) : row(rows.selected);
            }
        };
    }

    static void select(Rows rows, ListSelectionModel selection) {
        rows.selected = selection.getMinSelectionIndex();
        int last = selection.getMaxSelectionIndex();
        for (int at = rows.selected; at >= 0 && at <= last && rows.allSelected.size() < MAX_SELECTED; at++)
            if (selection.isSelectedIndex(at)) rows.allSelected.add(at);
    }

    @SuppressWarnings("unchecked")
    private static Object renderedRow(JList<?> list, Object value, int at) {
        JList<Object> any = (JList<Object>) list;
        return Rendered.by(any.getCellRenderer().getListCellRendererComponent(any, value, at, false, false),
            value);
    }

    static RowReader ofCombo(final Object combo) {
        return new RowReader() {
            private ComboBoxModel<?> model;

            @Override
            protected void start() {
                model = (ComboBoxModel<?>) Fields.of(combo, "javax.swing.JComboBox.dataModel");
                rows.total = model.getSize();
                rows.isEditable = Fields.flag(combo, "javax.swing.JComboBox.isEditable");
                rows.selectedValue = choiceText(combo, model.getSelectedItem());
            }

            @Override
            protected Object row(int at) {
                return choiceText(combo, model.getElementAt(at));
            }
        };
    }

    /** The text of a choice on the screen. */
    @SuppressWarnings("unchecked")
    static Object choiceText(Object combo, Object choice) {
        Object text = RowReader.textOf(choice);
        if (text != RowReader.NO_TEXT) return text;
        Object ui = Fields.of(combo, "javax.swing.JComponent.ui");
        Object list = Fields.of(ui, "javax.swing.plaf.basic.BasicComboBoxUI.listBox");
        Object renderer = Fields.of(combo, "javax.swing.JComboBox.renderer");
        if (!(list instanceof JList) || !(renderer instanceof ListCellRenderer)) return ObjectNames.of(choice);
        ListCellRenderer<Object> any = (ListCellRenderer<Object>) renderer;
        return Rendered.by(
            any.getListCellRendererComponent((JList<Object>) list, choice, -1, false, false), choice);
    }

    static RowReader ofTabs(final Object tabs) {
        return new RowReader() {
            private List<?> pages;

            @Override
            protected void start() {
                pages = (List<?>) Fields.of(tabs, "javax.swing.JTabbedPane.pages");
                rows.total = pages.size();
            }

            @Override
            protected Object row(int at) {
                return titleOf(pages.get(at), at);
            }

            @Override
            protected void end() {
                Object selection = Fields.of(tabs, "javax.swing.JTabbedPane.model");
                if (selection instanceof SingleSelectionModel)
                    rows.select(((SingleSelectionModel) selection).getSelectedIndex());
            }
        };
    }

    /** A tab may show a component in place of its title, or an icon with a tool tip. */
    private static String titleOf(Object page, int at) {
        String title = Text.plain(Fields.text(page, "javax.swing.JTabbedPane$Page.title"));
        Object shown = Fields.of(page, "javax.swing.JTabbedPane$Page.tabComponent");
        if (title.isEmpty() && shown instanceof java.awt.Component) title = firstLabel((java.awt.Component) shown, 0);
        if (title.isEmpty()) title = Text.plain(Fields.text(page, "javax.swing.JTabbedPane$Page.tip"));
        return title.isEmpty() ? "tab " + (at + 1) : title;
    }

    static String firstLabel(java.awt.Component component, int depth) {
        if (Kind.of(component) == Kind.LABEL) return Text.plain(Fields.text(component, "javax.swing.JLabel.text"));
        for (java.awt.Component child : WindowSnapshot.children(component)) {
            String text = depth < 3 ? firstLabel(child, depth + 1) : "";
            if (!text.isEmpty()) return text;
        }
        return "";
    }
}
