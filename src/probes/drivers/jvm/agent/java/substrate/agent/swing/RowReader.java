package substrate.agent.swing;

import java.util.Map;
import java.util.WeakHashMap;

/**
 * Reads rows one by one, so that a long list can be read in several pieces. Calls the model of the app where there is
 * one, and only what painting calls. Runs on the event thread.
 */
abstract class RowReader {
    private static final Map<Class<?>, Boolean> SAYS_NOTHING = new WeakHashMap<Class<?>, Boolean>();
    final Rows rows = new Rows();
    private long nanos;
    private boolean isStarted;

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
            isDone = rows.shown.size() >= Math.min(rows.total, maxRows);
            if (isDone) end();
            else {
                rows.shown.add(row(rows.shown.size()));
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
