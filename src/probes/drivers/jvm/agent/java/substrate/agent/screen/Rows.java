package substrate.agent.screen;

import java.util.ArrayList;
import java.util.List;
import substrate.agent.json.JsonWriter;

/** Rows of a table, tree or list, or the choices of a combo box, as texts, numbers and booleans. */
public final class Rows {
    /** The columns of a table; null if a row is one value. */
    public String[] columns;
    /** A value, or for a table an Object[] of them. */
    public final List<Object> shown = new ArrayList<Object>();
    /** The number of rows, shown or not. */
    public int total;
    /** -1 if none is. */
    public int selected = -1;
    public final List<Integer> allSelected = new ArrayList<Integer>();
    public Object selectedValue;
    /** True if a cell may be editable, judged by the class of the model. */
    public boolean isEditable;

    public void write(StringBuilder out) {
        JsonWriter.value(out.append("{\"shown\":"), shown);
        out.append(",\"total\":").append(total);
        if (columns != null) JsonWriter.value(out.append(",\"columns\":"), columns);
        if (selected >= 0) out.append(",\"selected\":").append(selected);
        if (allSelected.size() > 1) JsonWriter.value(out.append(",\"allSelected\":"), allSelected);
        if (selectedValue != null) JsonWriter.value(out.append(",\"selectedValue\":"), selectedValue);
        out.append(isEditable ? ",\"editable\":true}" : "}");
    }

    public void select(int index) {
        if (index < 0 || index >= total) return;
        selected = index;
        selectedValue = index < shown.size() ? shown.get(index) : null;
    }
}
