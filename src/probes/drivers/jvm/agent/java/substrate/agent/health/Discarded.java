package substrate.agent.health;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counts the exceptions that the agent goes on without, by place. Of the first exception of a place the name of its class
 * is kept: a message can hold values of the program, and the class itself would keep its loader alive. Nothing is
 * allocated after the first exception of a place.
 */
public final class Discarded {
    private static final int MAX_PLACES = 64;
    private static final int MAX_LENGTH = 80;
    /** All places that there is no room for. */
    private static final String OTHER = "other";

    private static final AtomicReferenceArray<String> PLACES = new AtomicReferenceArray<String>(MAX_PLACES);
    /** The place with the class of its first exception, as they are reported. */
    private static final AtomicReferenceArray<String> LABELS = new AtomicReferenceArray<String>(MAX_PLACES);
    private static final AtomicIntegerArray COUNTS = new AtomicIntegerArray(MAX_PLACES);

    private Discarded() {}

    /**
     * `place`: a literal, `Class.method`. Throws nothing; but a literal that was never used before needs memory, so a caller
     * that must not throw either keeps the exception and leaves the counting to another.
     */
    public static void count(String place, Throwable error) {
        try {
            int at = indexOf(place);
            int before = COUNTS.get(at);
            // It stays at the largest number rather than begin again.
            while (before != Integer.MAX_VALUE && !COUNTS.compareAndSet(at, before, before + 1)) before = COUNTS.get(at);
            // The bare place first: where there is no memory for more, it is tried once.
            String bare = PLACES.get(at);
            if (LABELS.get(at) == null && LABELS.compareAndSet(at, null, bare)) LABELS.set(at, label(bare, error));
        } catch (Throwable full) {
            // Nothing is lost: it is counted, and without memory for the name of its class the place stands alone.
        }
    }

    private static int indexOf(String place) {
        for (int at = 0; at < MAX_PLACES - 1; at++) {
            String known = PLACES.get(at);
            if (known == null) {
                if (PLACES.compareAndSet(at, null, place)) return at;
                known = PLACES.get(at);
            }
            if (known == place || known.equals(place)) return at;
        }
        PLACES.compareAndSet(MAX_PLACES - 1, null, OTHER);
        return MAX_PLACES - 1;
    }

    private static String label(String place, Throwable error) {
        if (place == OTHER || error == null) return place;
        String name = Parts.nameOf(error);
        // An anonymous class has a number.
        if (name.isEmpty() || Character.isDigit(name.charAt(0))) return place;
        for (int at = 0; at < name.length(); at++) {
            char c = name.charAt(at);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
            if (!isPlain) return place;
        }
        return place.length() + 1 + name.length() > MAX_LENGTH ? place : place + ':' + name;
    }

    /** Grows with each one. */
    static long total() {
        long total = 0;
        for (int at = 0; at < MAX_PLACES; at++) total += COUNTS.get(at);
        return total;
    }

    /** `{"Class.method:Error": 3}` */
    static void write(StringBuilder out) {
        char separator = '{';
        for (int at = 0; at < MAX_PLACES; at++) {
            int count = COUNTS.get(at);
            if (count == 0) continue;
            String label = LABELS.get(at) == null ? PLACES.get(at) : LABELS.get(at);
            // All of them are made of letters that need no escape.
            out.append(separator).append('"').append(label).append("\":").append(count);
            separator = ',';
        }
        out.append(separator == '{' ? "{}" : "}");
    }
}
