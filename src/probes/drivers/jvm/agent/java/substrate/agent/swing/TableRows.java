package substrate.agent.swing;

import javax.swing.JTable;
import javax.swing.ListSelectionModel;
import javax.swing.RowSorter;
import javax.swing.table.AbstractTableModel;
import javax.swing.table.TableColumnModel;
import javax.swing.table.TableModel;
import substrate.agent.screen.Fields;
import substrate.agent.screen.RowReader;
import substrate.agent.screen.Rows;
import substrate.agent.screen.Text;

/** Rows of a table in the order of the screen: sorted, with its columns in their order. */
final class TableRows extends RowReader {
    private static final int MAX_COLUMNS = 50;
    private final JTable table;
    private TableModel model;
    private RowSorter<?> sorter;
    private int[] modelColumns;

    TableRows(Object table) {
        this.table = (JTable) table;
    }

    @Override
    protected void start() {
        model = (TableModel) Fields.of(table, "javax.swing.JTable.dataModel");
        Object sorting = Fields.of(table, "javax.swing.JTable.sortManager");
        sorter = (RowSorter<?>) Fields.of(sorting, "javax.swing.JTable$SortManager.sorter");
        TableColumnModel columns = (TableColumnModel) Fields.of(table, "javax.swing.JTable.columnModel");
        modelColumns = new int[Math.min(columns.getColumnCount(), MAX_COLUMNS)];
        rows.columns = new String[modelColumns.length];
        for (int at = 0; at < modelColumns.length; at++) {
            rows.columns[at] = title(columns, at);
            modelColumns[at] = columns.getColumn(at).getModelIndex();
        }
        rows.total = sorter != null ? sorter.getViewRowCount() : model.getRowCount();
        ListRows.select(rows, (ListSelectionModel) Fields.of(table, "javax.swing.JTable.selectionModel"));
        rows.isEditable = mayBeEditable(model);
    }

    static String title(TableColumnModel columns, int at) {
        Object title = at < columns.getColumnCount() ? columns.getColumn(at).getHeaderValue() : null;
        return title == null ? "" : String.valueOf(Text.ofCell(title));
    }

    @Override
    protected Object row(int at) {
        int modelRow = sorter == null ? at : sorter.convertRowIndexToModel(at);
        Object[] cells = new Object[modelColumns.length];
        for (int column = 0; column < cells.length; column++) {
            Object value = model.getValueAt(modelRow, modelColumns[column]);
            Object text = textOf(value);
            cells[column] = text != NO_TEXT ? text
                : Rendered.by(table.prepareRenderer(table.getCellRenderer(at, column), at, column), value);
        }
        return cells;
    }

    /** A model's cells are not editable unless its class overrides isCellEditable. */
    private static boolean mayBeEditable(TableModel model) {
        try {
            Class<?> declares = model.getClass().getMethod("isCellEditable", int.class, int.class).getDeclaringClass();
            return declares != AbstractTableModel.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
