package substrate.agent.vm;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the agent may cost the program, and what it has cost. Whoever works for long calls `step` in between, which
 * rests when the agent's share of the time is used up. For the one thread that captures; others only add what they
 * took.
 */
public final class Pace {
    public static final String TIME = "time";
    public static final String MEMORY = "memory";
    private static final long MS = 1000000L;
    private static final long SLICE = 4 * MS;
    /** The clock of the processor is a system call: it is not asked more often. */
    private static final long LOOK_EVERY = MS / 2;
    /** What is saved up while nothing is done. */
    private static final double SAVED = 1000.0 * MS;
    /** What a capture after the search may take beyond what the one before took. */
    public static final long MORE = 20 * MS;
    /** Of the time of a search, for a capture after it. */
    private static final int PART_OF_SEARCH = 5;
    /** The agent's classes, its compiled code and its threads take about so much, whatever is read. */
    private static final long OWN_BYTES = 8L * 1024 * 1024;

    /** What the loading of the agent throws away. */
    private static final long LOADING_BYTES = 1536L * 1024;
    private static final int PART_ASIDE = 3;
    private static final long MUCH_GARBAGE = 2L * 1024 * 1024;
    private static final long SMALL_HEAP = 128L * 1024 * 1024;

    private final Vm vm;
    private final long search;
    private final double share;
    private final long memory;
    private final AtomicLong others = new AtomicLong();
    /** Processor time that may be used at once. */
    private double credit;
    private long earnedAt = System.nanoTime();
    private long lookedAt = earnedAt;
    /** Of the processor, at the last look. */
    private long clock;
    private long spent;
    private long lastSpent;
    private long searched;
    private boolean isSearch;
    private long limit = Long.MAX_VALUE;
    /** Bytes that were allocated since the garbage was collected last; whether it was shows by what went with it. */
    private long garbage = LOADING_BYTES;
    private long garbageAside;
    private WeakReference<Object> canary = new WeakReference<Object>(new Object());

    public Pace(Vm vm, long searchMs, double percent, long memoryBytes) {
        this.vm = vm;
        search = searchMs > Long.MAX_VALUE / MS ? Long.MAX_VALUE : searchMs * MS;
        share = Math.max(1, Math.min(100, percent)) / 100;
        memory = Math.max(memoryBytes / 4, memoryBytes - OWN_BYTES);
        credit = SAVED * share;
    }

    /** Nothing waits, nothing is cut short. */
    public static Pace free(Vm vm) {
        return new Pace(vm, Long.MAX_VALUE, 100, Long.MAX_VALUE);
    }

    /** A capture begins. `isSearch`: it looks for what is not known, with what is left of the time for that. */
    public void begin(boolean isSearch) {
        this.isSearch = isSearch;
        long more = isSearch ? search - searched : Math.max(search / PART_OF_SEARCH, 2 * lastSpent + MORE);
        limit = Math.max(MORE, more);
        spent = 0;
        clock = vm.cpuNanos();
    }

    /** What is not known is looked for. */
    public boolean isSearch() {
        return isSearch;
    }

    /** What the capture has cost, in ms of processor time. */
    public double end() {
        double cost = endAside();
        lastSpent = spent;
        return cost;
    }

    /** As `end`, of what is no capture: the next one is not measured by it. */
    public double endAside() {
        look();
        spent += others.getAndSet(0);
        if (isSearch) searched += spent;
        return (double) spent / MS;
    }

    /** Work of other threads for this capture, or for the next one. */
    public void add(long nanos) {
        others.addAndGet(nanos);
    }

    /** Of this capture. */
    public long spent() {
        look();
        return spent;
    }

    /** When this part of the time for the capture is spent. */
    public long until(double part) {
        return limit == Long.MAX_VALUE ? limit : (long) (limit * part);
    }

    /** When this part of it is spent from now on. */
    public long after(double part) {
        return limit == Long.MAX_VALUE ? limit : spent() + (long) (limit * part);
    }

    /** As of the last step. */
    public boolean isPast(long deadline) {
        return spent >= deadline;
    }

    /** Throws IllegalStateException when nobody waits for the capture any more. */
    public void step() {
        if (System.nanoTime() - lookedAt < LOOK_EVERY) return;
        look();
        if (share >= 1 || credit > 0) return;
        try {
            for (long rest = needed(); rest > 0; rest = needed()) Thread.sleep(rest / MS + 1);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the connection has ended");
        }
        clock = vm.cpuNanos();
    }

    private long needed() {
        earn();
        return (long) ((SLICE - credit) / share);
    }

    private void look() {
        long now = vm.cpuNanos();
        spent += now - clock;
        credit -= now - clock;
        clock = now;
        earn();
    }

    private void earn() {
        lookedAt = System.nanoTime();
        credit = Math.min(SAVED * share, credit + (lookedAt - earnedAt) * share);
        earnedAt = lookedAt;
    }

    /** Bytes that the agent may add to the program's memory by what it reads. */
    public long memory() {
        return memory;
    }

    /**
     * The agent ends. A program that does little does not collect what it leaves behind, and each attach would add to
     * it. So that is asked for: it takes some 30 ms, and the JVM gives back what it does not need. Not in a large heap,
     * where it would take longer, and not where the program has collected it by itself.
     */
    public void collectGarbage() {
        Runtime runtime = Runtime.getRuntime();
        long used = runtime.totalMemory() - runtime.freeMemory();
        hasRoom();
        if (used < SMALL_HEAP && garbage + garbageAside > MUCH_GARBAGE) System.gc();
    }

    public void allocate(long bytes) {
        garbage += bytes;
    }

    /** As `allocate`, for what is only done while there is room. */
    public void allocateAside(long bytes) {
        garbageAside += bytes;
    }

    /** What is thrown away stays in memory until the program collects its garbage, which it may not do for hours. */
    public boolean hasRoom() {
        if (canary.get() == null) {
            garbage = 0;
            garbageAside = 0;
            canary = new WeakReference<Object>(new Object());
        }
        return garbageAside < memory / PART_ASIDE;
    }
}
