package substrate.agent.swing;

import javax.swing.JTable;
import javax.swing.ListSelectionModel;
import javax.swing.RowSorter;
import javax.swing.table.AbstractTableModel;
import javax.swing.table.TableColumn;
import javax.swing.table.TableColumnModel;
import javax.swing.table.TableModel;

/** Rows of a table as they stand on the screen: sorted, with its columns in their order. */
final class TableRows extends RowReader {
    private static final FieldRef MODEL = new FieldRef("javax.swing.JTable", "dataModel");
    private static final FieldRef COLUMNS = new FieldRef("javax.swing.JTable", "columnModel");
    private static final FieldRef SELECTION = new FieldRef("javax.swing.JTable", "selectionModel");
    private static final FieldRef SORTING = new FieldRef("javax.swing.JTable", "sortManager");
    private static final FieldRef SORTER = new FieldRef("javax.swing.JTable$SortManager", "sorter");
    private static final int MAX_COLUMNS = 50;

    private final JTable table;
    private TableModel model;
    private RowSorter<?> sorter;
    private int[] modelColumns;

    TableRows(Object table) {
        this.table = (JTable) table;
    }

    @Override
    void start() {
        model = (TableModel) MODEL.of(table);
        sorter = (RowSorter<?>) SORTER.of(SORTING.of(table));
        readColumns((TableColumnModel) COLUMNS.of(table));
        rows.total = sorter != null ? sorter.getViewRowCount() : model.getRowCount();
        ListRows.select(rows, (ListSelectionModel) SELECTION.of(table));
        rows.isEditable = mayBeEditable(model);
    }

    private void readColumns(TableColumnModel columns) {
        int count = Math.min(columns.getColumnCount(), MAX_COLUMNS);
        Names.Book book = new Names.Book();
        rows.columns = new String[count];
        modelColumns = new int[count];
        for (int at = 0; at < count; at++) {
            TableColumn column = columns.getColumn(at);
            Object header = column.getHeaderValue();
            String name = header == null ? "" : Names.toName(String.valueOf(Text.ofCell(header)));
            rows.columns[at] = book.take(name.isEmpty() ? "column_" + (at + 1) : name);
            modelColumns[at] = column.getModelIndex();
        }
    }

    @Override
    Object row(int at) {
        int modelRow = sorter == null ? at : sorter.convertRowIndexToModel(at);
        Object[] cells = new Object[modelColumns.length];
        for (int column = 0; column < cells.length; column++) {
            Object value = model.getValueAt(modelRow, modelColumns[column]);
            cells[column] = saysNothing(value)
                ? rendered(table.prepareRenderer(table.getCellRenderer(at, column), at, column))
                : Text.ofCell(value);
        }
        return cells;
    }

    @Override
    void end() {
        model = null;
        sorter = null;
    }

    /** Unless the app says otherwise no cell of a model can be edited. */
    private static boolean mayBeEditable(TableModel model) {
        try {
            Class<?> declares = model.getClass().getMethod("isCellEditable", int.class, int.class).getDeclaringClass();
            return declares != AbstractTableModel.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }
}
