package substrate.agent.read;

/**
 * Takes the children of one object, one after the other: first where a child stands, then what it is. A value method
 * answers false when it did not take the child and no further one is wanted.
 */
public interface Sink {
    /** A field; `hash` is that of the name. */
    void name(String name, long hash);

    void index(int index);

    /** The key of a map, as text. */
    void key(String key);

    boolean value(Object value);

    boolean whole(long value);

    boolean decimal(double value);

    boolean single(float value);

    boolean flag(boolean value);
}
