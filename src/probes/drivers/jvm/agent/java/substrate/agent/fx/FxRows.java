package substrate.agent.fx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.health.Discarded;
import substrate.agent.screen.ObjectNames;
import substrate.agent.screen.RowReader;
import substrate.agent.screen.Text;

/** Rows of lists, tables and trees, choices, and the titles of tabs. */
abstract class FxRows extends RowReader {
    private static final int MAX_SELECTED = 100;
    private static final int MAX_COLUMNS = 50;
    final Object control;
    /** The texts of the visible cells by row index; null if they were not read yet. */
    private Map<Integer, String> cells;

    private FxRows(Object control) {
        this.control = control;
    }

    static FxRows of(FxKind kind, Object control) {
        switch (kind) {
            case CHOICE: case CHOICE_BOX: return new Choices(control);
            case TABS: return new Tabs(control);
            case LIST: return new ListItems(control);
            case TREE: return new TreeItems(control);
            default: return new FxTable(control);
        }
    }

    static Object selectionOf(Object control) {
        return Fx.get(control, "getSelectionModel");
    }

    final void readSelection() {
        Object model = selectionOf(control);
        Object index = Fx.get(model, "getSelectedIndex");
        rows.selected = index instanceof Integer ? Math.min((Integer) index, rows.total - 1) : -1;
        for (Object each : Fx.list(model, "getSelectedIndices"))
            if (each instanceof Integer && rows.allSelected.size() < MAX_SELECTED) rows.allSelected.add((Integer) each);
    }

    /** A value as the control displays it. */
    final Object shownText(Object value, int at) {
        Object text = textOf(value);
        if (text != NO_TEXT) return text;
        String cell = cellText(at);
        return cell == null || ObjectNames.isDefault(cell, value) ? ObjectNames.of(value) : cell;
    }

    private String cellText(int at) {
        if (cells == null) {
            cells = new HashMap<Integer, String>();
            Object found = null;
            try {
                found = Fx.call(control, "lookupAll", ".cell");
            } catch (Exception e) {
                Discarded.count("FxRows.cellText", e);
            }
            if (found instanceof Collection)
                for (Object cell : ((Collection<?>) found).toArray()) {
                    Object index = Fx.get(cell, "getIndex");
                    String text = index instanceof Integer && !Fx.flag(cell, "isEmpty") ? FxReader.labelText(cell) : "";
                    if (!text.isEmpty() && !cells.containsKey(index)) cells.put((Integer) index, text);
                }
        }
        return cells.get(at);
    }

    @Override
    protected void end() {
        if (rows.selected >= 0 && rows.selected < rows.total && rows.columns == null)
            rows.selectedValue = rows.selected < rows.shown.size() ? rows.shown.get(rows.selected) : row(rows.selected);
    }

    private static final class ListItems extends FxRows {
        private List<?> items;

        ListItems(Object control) {
            super(control);
        }

        @Override
        protected void start() {
            items = Fx.list(control, "getItems");
            rows.total = items.size();
            readSelection();
        }

        @Override
        protected Object row(int at) {
            return shownText(items.get(at), at);
        }
    }

    /** The choices of a ComboBox or a ChoiceBox. */
    static final class Choices extends FxRows {
        private List<?> items;

        Choices(Object control) {
            super(control);
        }

        @Override
        protected void start() {
            items = Fx.list(control, "getItems");
            rows.total = items.size();
            rows.isEditable = Fx.flag(control, "isEditable");
        }

        @Override
        protected Object row(int at) {
            return choiceText(items.get(at));
        }

        @Override
        protected void end() {
            rows.selectedValue = choiceText(Fx.get(control, "getValue"));
        }

        /** Uses the app's converter, which painting calls, too. */
        Object choiceText(Object choice) {
            Object converter = choice == null ? null : Fx.get(control, "getConverter");
            if (converter != null) {
                try {
                    Object text = Fx.call(converter, "toString", choice);
                    if (text instanceof String && !ObjectNames.isDefault(text, choice)) return Text.plain((String) text);
                } catch (Exception e) {
                    Discarded.count("FxRows.choiceText", e);
                }
            }
            return textOrName(choice);
        }
    }

    private static final class Tabs extends FxRows {
        private List<?> tabs;

        Tabs(Object control) {
            super(control);
        }

        @Override
        protected void start() {
            tabs = Fx.list(control, "getTabs");
            rows.total = tabs.size();
        }

        @Override
        protected Object row(int at) {
            return tabTitle(tabs.get(at), at);
        }

        @Override
        protected void end() {
            Object index = Fx.get(selectionOf(control), "getSelectedIndex");
            if (index instanceof Integer) rows.select((Integer) index);
        }
    }

    static String tabTitle(Object tab, int at) {
        String title = FxReader.labelText(tab);
        if (title.isEmpty()) title = Text.plain(Fx.text(Fx.get(tab, "getTooltip"), "getText"));
        return title.isEmpty() ? "tab " + (at + 1) : title;
    }

    /** The expanded rows, each with its path: `Colours / red`. */
    private static final class TreeItems extends FxRows {
        private boolean isRootShown;

        TreeItems(Object control) {
            super(control);
        }

        @Override
        protected void start() {
            isRootShown = Fx.flag(control, "isShowRoot");
            rows.total = (int) Fx.number(control, "getExpandedItemCount");
            readSelection();
        }

        @Override
        protected Object row(int at) {
            Object item = treeItem(control, at);
            StringBuilder way = new StringBuilder(String.valueOf(shownText(Fx.get(item, "getValue"), at)));
            Object parent = Fx.get(item, "getParent");
            for (int depth = 0; parent != null && depth < 30; depth++) {
                Object above = Fx.get(parent, "getParent");
                if (above != null || isRootShown) way.insert(0, textOrName(Fx.get(parent, "getValue")) + " / ");
                parent = above;
            }
            return Text.shorten(way.toString(), Text.MAX_TEXT);
        }
    }

    static Object treeItem(Object tree, int row) {
        try {
            return Fx.call(tree, "getTreeItem", row);
        } catch (Exception e) {
            Discarded.count("FxRows.treeItem", e);
            return null;
        }
    }

    /** Rows in the order of the screen: sorted, with the columns in their order. */
    private static final class FxTable extends FxRows {
        private final List<Object> columns = new ArrayList<Object>();

        FxTable(Object control) {
            super(control);
        }

        @Override
        protected void start() {
            for (Object column : Fx.list(control, "getVisibleLeafColumns"))
                if (columns.size() < MAX_COLUMNS) columns.add(column);
            rows.columns = new String[columns.size()];
            for (int at = 0; at < rows.columns.length; at++) rows.columns[at] = FxReader.labelText(columns.get(at));
            boolean isTree = FxKind.of(control) == FxKind.TREE_TABLE;
            rows.total = isTree ? (int) Fx.number(control, "getExpandedItemCount") : Fx.list(control, "getItems").size();
            readSelection();
        }

        @Override
        protected Object row(int at) {
            Object[] cells = new Object[columns.size()];
            for (int column = 0; column < cells.length; column++) {
                try {
                    cells[column] = textOrName(Fx.call(columns.get(column), "getCellData", at));
                } catch (Exception e) {
                    // A cell whose value throws is shown as empty.
                    Discarded.count("FxRows.row", e);
                }
            }
            return cells;
        }
    }
}
