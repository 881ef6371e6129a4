package substrate.agent.code;

/**
 * Where a value may have come from, one bit for each: what writing to it means follows from that. From FIRST_CALL on a bit
 * stands for the result of a call of the platform. The same bits stand in src/probes/insight/effects/value-origin.ts.
 */
final class ValueOrigin {
    /** Anything: to write to it changes what others may see. */
    static final long OTHER = 1;
    static final long THIS = 2;
    /** Made by the method itself. */
    static final long FRESH = 4;
    /** A parameter, at most converted. */
    static final long ARGUMENT = 8;
    static final long CONSTANT = 16;
    /** Read from a field of `this`. */
    static final long HELD = 32;
    /** A lambda or method reference whose body is among the calls of the method. */
    static final long FUNCTION = 64;
    private static final int FIRST_CALL = 10;
    /** JSON has no larger numbers. */
    static final int MAX_CALLS = 43;

    private ValueOrigin() {}

    static long ofCall(int number) {
        return number < 0 || number >= MAX_CALLS ? OTHER : 1L << FIRST_CALL + number;
    }

    /** Of what is read from a field of such an object. */
    static long readFrom(long holder) {
        long held = (holder & THIS) != 0 ? HELD : 0;
        return (holder & ~(THIS | CONSTANT)) != 0 || held == 0 ? held | OTHER : held;
    }
}
