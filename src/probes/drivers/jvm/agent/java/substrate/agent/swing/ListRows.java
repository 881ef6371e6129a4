package substrate.agent.swing;

import java.util.List;
import javax.swing.ComboBoxModel;
import javax.swing.JList;
import javax.swing.ListCellRenderer;
import javax.swing.ListModel;
import javax.swing.ListSelectionModel;
import javax.swing.SingleSelectionModel;

/** Rows of lists, the choices of combo boxes, and the titles of tabs. */
final class ListRows {
    private static final FieldRef LIST_MODEL = new FieldRef("javax.swing.JList", "dataModel");
    private static final FieldRef LIST_SELECTION = new FieldRef("javax.swing.JList", "selectionModel");
    private static final FieldRef COMBO_MODEL = new FieldRef("javax.swing.JComboBox", "dataModel");
    private static final FieldRef COMBO_EDITABLE = new FieldRef("javax.swing.JComboBox", "isEditable");
    private static final FieldRef COMBO_RENDERER = new FieldRef("javax.swing.JComboBox", "renderer");
    private static final FieldRef COMBO_UI = new FieldRef("javax.swing.JComponent", "ui");
    private static final FieldRef COMBO_LIST = new FieldRef("javax.swing.plaf.basic.BasicComboBoxUI", "listBox");
    private static final FieldRef TAB_PAGES = new FieldRef("javax.swing.JTabbedPane", "pages");
    private static final FieldRef TAB_SELECTION = new FieldRef("javax.swing.JTabbedPane", "model");
    private static final FieldRef TAB_TITLE = new FieldRef("javax.swing.JTabbedPane$Page", "title");
    private static final FieldRef TAB_TIP = new FieldRef("javax.swing.JTabbedPane$Page", "tip");
    private static final FieldRef TAB_COMPONENT = new FieldRef("javax.swing.JTabbedPane$Page", "tabComponent");
    private static final int MAX_SELECTED = 100;

    private ListRows() {}

    static RowReader ofList(final Object list) {
        return new RowReader() {
            private ListModel<?> model;
            private ListSelectionModel selection;

            @Override
            void start() {
                model = (ListModel<?>) LIST_MODEL.of(list);
                selection = (ListSelectionModel) LIST_SELECTION.of(list);
                rows.total = model.getSize();
                select(rows, selection);
            }

            @Override
            Object row(int at) {
                Object value = model.getElementAt(at);
                return saysNothing(value) ? renderedRow((JList<?>) list, value, at) : Text.ofCell(value);
            }

            @Override
            void end() {
                if (rows.selected >= 0 && rows.selected < rows.total)
                    rows.selectedValue =
                        rows.selected < rows.shown.size() ? rows.shown.get(rows.selected) : row(rows.selected);
                model = null;
                selection = null;
            }
        };
    }

    static void select(Rows rows, ListSelectionModel selection) {
        rows.selected = selection.getMinSelectionIndex();
        int last = selection.getMaxSelectionIndex();
        for (int at = rows.selected; at >= 0 && at <= last && rows.alsoSelected.size() < MAX_SELECTED; at++)
            if (selection.isSelectedIndex(at)) rows.alsoSelected.add(at);
    }

    @SuppressWarnings("unchecked")
    private static Object renderedRow(JList<?> list, Object value, int at) {
        JList<Object> any = (JList<Object>) list;
        return RowReader.rendered(any.getCellRenderer().getListCellRendererComponent(any, value, at, false, false));
    }

    static RowReader ofCombo(final Object combo) {
        return new RowReader() {
            @Override
            void start() {
                ComboBoxModel<?> model = (ComboBoxModel<?>) COMBO_MODEL.of(combo);
                rows.total = model.getSize();
                rows.isEditable = COMBO_EDITABLE.flag(combo);
                Object chosen = model.getSelectedItem();
                rows.selectedValue = choiceText(combo, chosen);
                if (chosen != null) rows.selected = 0;
            }

            @Override
            Object row(int at) {
                return choiceText(combo, ((ComboBoxModel<?>) COMBO_MODEL.of(combo)).getElementAt(at));
            }
        };
    }

    /** What a choice is called on the screen. */
    @SuppressWarnings("unchecked")
    static Object choiceText(Object combo, Object choice) {
        if (!RowReader.saysNothing(choice)) return Text.ofCell(choice);
        Object list = COMBO_LIST.of(COMBO_UI.of(combo));
        Object renderer = COMBO_RENDERER.of(combo);
        if (!(list instanceof JList) || !(renderer instanceof ListCellRenderer)) return null;
        ListCellRenderer<Object> any = (ListCellRenderer<Object>) renderer;
        return RowReader.rendered(any.getListCellRendererComponent((JList<Object>) list, choice, -1, false, false));
    }

    static RowReader ofTabs(final Object tabs) {
        return new RowReader() {
            @Override
            void start() {
                Object pages = TAB_PAGES.of(tabs);
                rows.total = pages instanceof List ? ((List<?>) pages).size() : 0;
                Object selection = TAB_SELECTION.of(tabs);
                if (selection instanceof SingleSelectionModel)
                    rows.selected = ((SingleSelectionModel) selection).getSelectedIndex();
            }

            @Override
            Object row(int at) {
                return titleOf(((List<?>) TAB_PAGES.of(tabs)).get(at), at);
            }

            @Override
            void end() {
                if (rows.selected >= 0 && rows.selected < rows.shown.size())
                    rows.selectedValue = rows.shown.get(rows.selected);
            }
        };
    }

    /** A tab may show a component in place of its title, or an icon with a tool tip. */
    private static String titleOf(Object page, int at) {
        String title = Text.plain(TAB_TITLE.text(page));
        Object shown = TAB_COMPONENT.of(page);
        if (title.isEmpty() && shown instanceof java.awt.Component) title = firstLabel((java.awt.Component) shown, 0);
        if (title.isEmpty()) title = Text.plain(TAB_TIP.text(page));
        return title.isEmpty() ? "tab " + (at + 1) : title;
    }

    private static String firstLabel(java.awt.Component component, int depth) {
        if (Kind.of(component) == Kind.LABEL) {
            Part label = new Part(Kind.LABEL, null, component, null);
            ControlReader.read(component, label);
            return label.text;
        }
        if (depth < 3) {
            for (java.awt.Component child : Look.children(component)) {
                String text = firstLabel(child, depth + 1);
                if (!text.isEmpty()) return text;
            }
        }
        return "";
    }
}
