package substrate.agent.state;

/** Computes the room for leaves, and for characters of paths and texts: in the heap, and in the budget. */
final class HeapGuard {
    /** The agent takes at most this fraction of the free memory. */
    private static final int PART = 10;
    /** The bytes of one leaf: table, walk and report together. */
    static final int BYTES_PER_LEAF = 250;
    private static final int LEAST = 1000;
    /** A character is up to three bytes of the report, or six if it has to be escaped; a text may be kept besides. */
    private static final int BYTES_PER_CHARACTER = 20;
    private static final long MOST_CHARACTERS = 32L * 1024 * 1024;

    /** Fractions of the budget for leaves and for characters, most of which are one byte of a report. */
    private static final double LEAVES_PART = 0.3;
    private static final double CHARACTERS_PART = 0.2;

    private final int maxKeys;
    private final long budget;
    private int cap;
    private int ceiling;
    private int charactersPerLeaf = Integer.MAX_VALUE;

    HeapGuard(int maxKeys, long budget) {
        this.budget = budget;
        this.maxKeys = maxKeys;
        this.ceiling = maxKeys;
        this.cap = maxKeys;
    }

    /**
     * The cap is constant between full reports, unless the heap has become much smaller: leaves must not come and go
     * with it.
     */
    int cap(boolean full) {
        long free = free();
        long bytes = Math.min((long) (budget * LEAVES_PART), Math.max((long) LEAST * BYTES_PER_LEAF, free / PART));
        int room = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / BYTES_PER_LEAF));
        if (full || room < cap / 2) {
            int leaves = Math.min(maxKeys, room);
            cap = Math.min(ceiling, leaves);
            long most = Math.min(MOST_CHARACTERS, (long) (budget * CHARACTERS_PART));
            long characters = Math.min(most, free / BYTES_PER_CHARACTER);
            charactersPerLeaf = (int) Math.max(1, characters / leaves);
        }
        return cap;
    }

    /** A leaf with more characters counts as several. */
    int charactersPerLeaf() {
        return charactersPerLeaf;
    }

    /** The heap was too small for the last cap. */
    void shrink() {
        ceiling = Math.max(1, Math.min(ceiling, Math.max(1, cap / 4)));
        cap = Math.min(cap, ceiling);
    }

    private static long free() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    }
}
