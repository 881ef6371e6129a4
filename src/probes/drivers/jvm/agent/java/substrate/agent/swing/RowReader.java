package substrate.agent.swing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import substrate.agent.json.JsonWriter;

/**
 * Reads rows one by one, so that a long list can be read in several pieces. Calls the model of the app where there is
 * one, and only what painting calls. Runs on the event thread.
 */
abstract class RowReader {
    private static final int MAX_CHARACTERS = 500000;
    private static final Map<Class<?>, Boolean> SAYS_NOTHING = new WeakHashMap<Class<?>, Boolean>();
    final Rows rows = new Rows();
    private long nanos;
    private boolean isStarted;
    private int characters;

    /** Rows of a table, tree or list, or the choices of a combo box, as texts, numbers and truth values. */
    static final class Rows {
        /** Of a table; null: a row is one value. */
        String[] columns;
        /** A value, or for a table an Object[] of them. */
        final List<Object> shown = new ArrayList<Object>();
        /** How many there are, shown or not. */
        int total;
        /** -1: none. */
        int selected = -1;
        final List<Integer> allSelected = new ArrayList<Integer>();
        Object selectedValue;
        /** A cell may be written, as far as the class of the model tells. */
        boolean isEditable;

        void write(StringBuilder out) {
            JsonWriter.value(out.append("{\"shown\":"), shown);
            out.append(",\"total\":").append(total);
            if (columns != null) JsonWriter.value(out.append(",\"columns\":"), columns);
            if (selected >= 0) out.append(",\"selected\":").append(selected);
            if (allSelected.size() > 1) JsonWriter.value(out.append(",\"allSelected\":"), allSelected);
            if (selectedValue != null) JsonWriter.value(out.append(",\"selectedValue\":"), selectedValue);
            out.append(isEditable ? ",\"editable\":true}" : "}");
        }

        void select(int index) {
            if (index < 0 || index >= total) return;
            selected = index;
            selectedValue = index < shown.size() ? shown.get(index) : null;
        }
    }

    /** Sets the total and what is selected. */
    abstract void start();

    abstract Object row(int at);

    /** After the last row. */
    void end() {}

    /** Reads on until the time is over; false: there is more. */
    final boolean read(long until, int maxRows) {
        long began = System.nanoTime();
        if (!isStarted) start();
        isStarted = true;
        boolean isDone = false;
        while (!isDone) {
            isDone = rows.shown.size() >= Math.min(rows.total, maxRows) || characters > MAX_CHARACTERS;
            if (isDone) end();
            else {
                Object row = row(rows.shown.size());
                for (Object cell : row instanceof Object[] ? (Object[]) row : new Object[] {row})
                    if (cell instanceof String) characters += ((String) cell).length();
                rows.shown.add(row);
                if (System.nanoTime() - until > 0) break;
            }
        }
        nanos += System.nanoTime() - began;
        return isDone;
    }

    final long nanos() {
        return nanos;
    }

    /** `Order@1b2c`: the app shows something else of it. */
    static boolean saysNothing(Object value) {
        if (value == null || value instanceof String || value instanceof Number || value instanceof Boolean)
            return false;
        synchronized (SAYS_NOTHING) {
            Boolean known = SAYS_NOTHING.get(value.getClass());
            if (known == null) {
                try {
                    known = value.getClass().getMethod("toString").getDeclaringClass() == Object.class;
                } catch (NoSuchMethodException e) {
                    known = Boolean.FALSE;
                }
                SAYS_NOTHING.put(value.getClass(), known);
            }
            return known;
        }
    }

    /** What a renderer of the app made of a value. */
    static Object rendered(java.awt.Component renderer) {
        if (renderer instanceof javax.swing.AbstractButton) return ControlReader.buttonText(renderer);
        return renderer instanceof javax.swing.JLabel ? Text.plain(((javax.swing.JLabel) renderer).getText()) : null;
    }
}
