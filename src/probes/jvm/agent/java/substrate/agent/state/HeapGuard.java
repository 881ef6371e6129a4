package substrate.agent.state;

/** How many leaves the heap of the app has room for. */
final class HeapGuard {
    /** Of what is free, the agent takes no more than this part. */
    private static final int PART = 10;
    /** What one leaf costs: table, walk and report together. */
    private static final int BYTES_PER_LEAF = 200;
    private static final int LEAST = 1000;

    private final int maxKeys;
    private int cap;
    private int ceiling;

    HeapGuard(int maxKeys) {
        this.maxKeys = maxKeys;
        this.ceiling = maxKeys;
        this.cap = maxKeys;
    }

    /**
     * Stays as it is between full reports, unless the heap has become much smaller: leaves must not come and go with
     * it.
     */
    int cap(boolean full) {
        Runtime runtime = Runtime.getRuntime();
        long free = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
        int room = (int) Math.min(Integer.MAX_VALUE, Math.max(LEAST, free / PART / BYTES_PER_LEAF));
        if (full || room < cap / 2) cap = Math.min(Math.min(maxKeys, ceiling), room);
        return cap;
    }

    /** The heap was too small for that many. */
    void shrink() {
        ceiling = Math.max(1, Math.min(ceiling, Math.max(1, cap / 4)));
        cap = Math.min(cap, ceiling);
    }
}
