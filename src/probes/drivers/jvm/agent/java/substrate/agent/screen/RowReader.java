package substrate.agent.screen;

/**
 * Reads rows one by one, so that a long list can be read in several pieces. Calls the model of the app where there is
 * one, and only the methods that painting calls. Runs on the event thread.
 */
public abstract class RowReader {
    private static final int MAX_CHARACTERS = 500000;
    /** Stands for a text that only names the class. */
    public static final Object NO_TEXT = new Object();
    public final Rows rows = new Rows();
    private long nanos;
    private boolean isStarted;
    private int characters;

    /** Sets the total and the selection. */
    protected abstract void start();

    protected abstract Object row(int at);

    /** Called after the last row. */
    protected void end() {}

    /** Reads on until the time is over; false if there is more. */
    public final boolean read(long until, int maxRows) {
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

    public final long nanos() {
        return nanos;
    }

    /** The text of a value; NO_TEXT if its renderer has to be called. */
    public static Object textOf(Object value) {
        if (ObjectNames.saysNothing(value)) return NO_TEXT;
        Object text = Text.ofCell(value);
        return ObjectNames.isDefault(text, value) ? NO_TEXT : text;
    }

    /** Used where no renderer can be called. */
    public static Object textOrName(Object value) {
        Object text = textOf(value);
        return text == NO_TEXT ? ObjectNames.of(value) : text;
    }
}
