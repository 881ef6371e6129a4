package substrate.agent.read;

/** An entry of a map; shown as `key` and `value` where the key is not a text. */
public final class Entry {
    public final Object key;
    public final Object value;

    Entry(Object key, Object value) {
        this.key = key;
        this.value = value;
    }
}
