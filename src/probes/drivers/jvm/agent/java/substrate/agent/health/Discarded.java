package substrate.agent.health;

/**
 * Counts the exceptions that the agent ignores, by place. It keeps the class name of the first exception of a place: a
 * message can hold values of the program, and the class itself would keep its loader alive. Nothing is allocated after
 * the first exception of a place; the arrays are plain, because atomic ones need memory at their first use.
 */
public final class Discarded {
    private static final int MAX_PLACES = 64;
    private static final int MAX_LENGTH = 80;
    /** The label of all places beyond the limit. */
    private static final String OTHER = "other";

    private static final String[] PLACES = new String[MAX_PLACES];
    /** Each place with the class of its first exception, as reported. */
    private static final String[] LABELS = new String[MAX_PLACES];
    private static final int[] COUNTS = new int[MAX_PLACES];

    private Discarded() {}

    /**
     * `place`: a literal, `Class.method`. Throws nothing; but a literal that was never used before needs memory, so a
     * caller that must not throw keeps the exception and leaves the counting to another.
     */
    public static synchronized void count(String place, Throwable error) {
        try {
            int at = 0;
            while (at < MAX_PLACES - 1 && PLACES[at] != null && !PLACES[at].equals(place)) at++;
            // The count stays at the largest number instead of overflowing.
            if (COUNTS[at] < Integer.MAX_VALUE) COUNTS[at]++;
            if (PLACES[at] != null) return;
            // The bare place first: there may be no memory for more.
            LABELS[at] = PLACES[at] = at == MAX_PLACES - 1 ? OTHER : place;
            LABELS[at] = label(PLACES[at], error);
        } catch (Throwable full) {
            // Nothing is lost: it is counted, and without memory for the name of its class the place stands alone.
        }
    }

    private static String label(String place, Throwable error) {
        if (place == OTHER || error == null) return place;
        String name = Parts.nameOf(error);
        // An anonymous class has a number as its name.
        if (name.isEmpty() || Character.isDigit(name.charAt(0))) return place;
        for (int at = 0; at < name.length(); at++) {
            char c = name.charAt(at);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
            if (!isPlain) return place;
        }
        return place.length() + 1 + name.length() > MAX_LENGTH ? place : place + ':' + name;
    }

    /** The sum of all counts, which only grows. */
    static synchronized long total() {
        long total = 0;
        for (int count : COUNTS) total += count;
        return total;
    }

    /** `{"Class.method:Error": 3}` */
    static synchronized void write(StringBuilder out) {
        char separator = '{';
        for (int at = 0; at < MAX_PLACES && COUNTS[at] > 0; at++) {
            // Labels consist of characters that need no escape.
            out.append(separator).append('"').append(LABELS[at]).append("\":").append(COUNTS[at]);
            separator = ',';
        }
        out.append(separator == '{' ? "{}" : "}");
    }
}
