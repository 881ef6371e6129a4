package substrate.agent.read;

/** A 64-bit hash of a path: collisions are practically impossible. */
public final class Hash {
    public static final long START = 0x9E3779B97F4A7C15L;
    private static final long NAME = 0xC2B2AE3D27D4EB4FL;
    private static final long INDEX = 0x165667B19E3779F9L;

    private Hash() {}

    public static long of(CharSequence name) {
        long hash = NAME;
        for (int at = 0, length = name.length(); at < length; at++) hash = (hash ^ name.charAt(at)) * 0x100000001B3L;
        return mix(hash);
    }

    public static long of(int index) {
        return mix(INDEX + index);
    }

    /** The hash of `path` followed by a segment. */
    public static long join(long path, long segment) {
        return mix(path * 31 + segment);
    }

    private static long mix(long value) {
        long x = value;
        x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
        x = (x ^ (x >>> 32)) * 0xD6E8FEB86659FD93L;
        return x ^ (x >>> 32);
    }
}
