package substrate.agent.act;

/** What is known of a value while a method runs: where it came from decides what writing to it means. */
final class ValueOrigin {
    /** Anything: to write to it changes what others may see. */
    static final byte OTHER = 0;
    static final byte THIS = 1;
    /** Made by the method itself. */
    static final byte FRESH = 2;
    /** A parameter, at most converted. */
    static final byte ARGUMENT = 3;
    static final byte CONSTANT = 4;
    /** Read from a field of `this`. */
    static final byte HELD = 5;
    /** A lambda or method reference whose body is among the calls of the method, or made of such. */
    static final byte FUNCTION = 6;

    private ValueOrigin() {}

    /** Of a value that comes from two ways: null or a number beside something else does not make that unknown. */
    static byte merge(byte one, byte other) {
        if (one == other || other == CONSTANT) return one;
        return one == CONSTANT ? other : OTHER;
    }
}
