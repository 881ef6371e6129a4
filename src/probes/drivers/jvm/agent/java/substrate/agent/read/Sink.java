package substrate.agent.read;

/**
 * Takes the children of one object, one after the other: first the place of a child, then its value. A value method
 * returns false when it did not take the child and wants no more.
 */
public interface Sink {
    /** The child is a field; `hash` is the hash of its name. */
    void name(String name, long hash);

    void index(int index);

    /** The child is an entry of a map; the key is its text. */
    void key(String key);

    boolean value(Object value);

    boolean whole(long value);

    boolean decimal(double value);

    boolean single(float value);

    boolean flag(boolean value);
}
