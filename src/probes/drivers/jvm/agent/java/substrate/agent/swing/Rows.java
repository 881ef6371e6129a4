package substrate.agent.swing;

import java.util.ArrayList;
import java.util.List;

/** Rows of a table, tree or list, or the choices of a combo box, as texts, numbers and truth values. */
final class Rows {
    /** Of a table; null: a row is one value. */
    String[] columns;
    /** A value, or for a table an Object[] of them. */
    final List<Object> shown = new ArrayList<Object>();
    /** How many there are, shown or not. */
    int total;
    /** Index of the selected row, -1: none. */
    int selected = -1;
    final List<Integer> alsoSelected = new ArrayList<Integer>();
    Object selectedValue;
    /** A cell may be written, as far as the class of the model tells. */
    boolean isEditable;
}
