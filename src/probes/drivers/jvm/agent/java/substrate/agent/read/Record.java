package substrate.agent.read;

/** Named values that the agent itself put together (a window, a management bean); walked like an object with fields. */
public final class Record {
    private String[] names = new String[8];
    private Object[] values = new Object[8];
    private int size;

    /**
     * The value is null, String, Boolean, Number, Character, a Record, an Object[] or List of those, or an object of
     * the app.
     */
    public Record put(String name, Object value) {
        if (size == names.length) {
            names = java.util.Arrays.copyOf(names, size * 2);
            values = java.util.Arrays.copyOf(values, size * 2);
        }
        names[size] = name;
        values[size++] = value;
        return this;
    }

    public int size() {
        return size;
    }

    public String name(int at) {
        return names[at];
    }

    public Object value(int at) {
        return values[at];
    }
}
