package substrate.agent.vm;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cost that the agent may cause in the program, and the cost so far. Long work calls `step` in between, which rests
 * when the agent's share of the time is used up. It belongs to the one thread that captures; other threads only add
 * their time.
 */
public final class Pace {
    public static final String TIME = "time";
    public static final String MEMORY = "memory";
    private static final long MS = 1000000L;
    private static final long SLICE = 4 * MS;
    /** The processor clock is a system call: it is not read more often. */
    private static final long CLOCK_EVERY = MS / 2;
    /** The credit that idle time can accumulate. */
    private static final double SAVED = 1000.0 * MS;
    /** The time by which a capture after the search may exceed the one before. */
    public static final long MORE = 20 * MS;
    /** A capture after the search has one part in this many of the search's time. */
    private static final int PART_OF_SEARCH = 5;
    /** The agent's classes, its compiled code and its threads take about this much, whatever is read. */
    private static final long OWN_BYTES = 8L * 1024 * 1024;

    /** The garbage from loading the agent. */
    private static final long LOADING_BYTES = 1536L * 1024;
    private static final int BACKGROUND_PART = 3;
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
    private long clockReadAt = earnedAt;
    /** The processor clock at its last reading. */
    private long clock;
    private long spent;
    private long lastSpent;
    private long searched;
    private boolean isSearch;
    private long limit = Long.MAX_VALUE;
    /**
     * Bytes that were allocated since the last garbage collection; a cleared weak reference shows that there was one.
     */
    private long garbage = LOADING_BYTES;
    private long backgroundGarbage;
    private WeakReference<Object> canary = new WeakReference<Object>(new Object());

    public Pace(Vm vm, long searchMs, double percent, long memoryBytes) {
        this.vm = vm;
        search = searchMs > Long.MAX_VALUE / MS ? Long.MAX_VALUE : searchMs * MS;
        share = Math.max(1, Math.min(100, percent)) / 100;
        memory = Math.max(memoryBytes / 4, memoryBytes - OWN_BYTES);
        credit = SAVED * share;
    }

    /** A pace without waits and limits. */
    public static Pace free(Vm vm) {
        return new Pace(vm, Long.MAX_VALUE, 100, Long.MAX_VALUE);
    }

    /** A capture begins. A search (`isSearch`) looks for unknown objects, with the rest of the time for that. */
    public void begin(boolean isSearch) {
        this.isSearch = isSearch;
        long more = isSearch ? search - searched : Math.max(search / PART_OF_SEARCH, 2 * lastSpent + MORE);
        limit = Math.max(MORE, more);
        spent = 0;
        clock = vm.cpuNanos();
    }

    /** True if unknown objects are searched. */
    public boolean isSearch() {
        return isSearch;
    }

    /** The cost of the capture, in ms of processor time. */
    public double end() {
        double cost = endBackground();
        lastSpent = spent;
        return cost;
    }

    /** Like `end`, for work that is no capture: the next capture's limit does not depend on it. */
    public double endBackground() {
        readClock();
        spent += others.getAndSet(0);
        if (isSearch) searched += spent;
        return (double) spent / MS;
    }

    /** Adds the work of other threads for this capture, or for the next one. */
    public void add(long nanos) {
        others.addAndGet(nanos);
    }

    /** The time spent in this capture. */
    public long spent() {
        readClock();
        return spent;
    }

    /** The time at which this fraction of the capture's time is spent. */
    public long until(double part) {
        return limit == Long.MAX_VALUE ? limit : (long) (limit * part);
    }

    /** The time at which this fraction is spent from now on. */
    public long after(double part) {
        return limit == Long.MAX_VALUE ? limit : spent() + (long) (limit * part);
    }

    /** As of the last step. */
    public boolean isPast(long deadline) {
        return spent >= deadline;
    }

    /** Throws IllegalStateException when nobody waits for the capture any more. */
    public void step() {
        if (System.nanoTime() - clockReadAt < CLOCK_EVERY) return;
        readClock();
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

    private void readClock() {
        long now = vm.cpuNanos();
        spent += now - clock;
        credit -= now - clock;
        clock = now;
        earn();
    }

    private void earn() {
        clockReadAt = System.nanoTime();
        credit = Math.min(SAVED * share, credit + (clockReadAt - earnedAt) * share);
        earnedAt = clockReadAt;
    }

    /** Bytes that the agent may add to the program's memory by its reports. */
    public long memory() {
        return memory;
    }

    /**
     * Called when the agent ends. A program that does little does not collect the agent's garbage, and each attach
     * would add to it. So a collection is requested: it takes some 30 ms, and the JVM gives back unneeded memory. It is
     * not requested in a large heap, where it would take longer, nor where the program has collected by itself.
     */
    public void collectGarbage() {
        Runtime runtime = Runtime.getRuntime();
        long used = runtime.totalMemory() - runtime.freeMemory();
        hasRoom();
        if (used < SMALL_HEAP && garbage + backgroundGarbage > MUCH_GARBAGE) System.gc();
    }

    public void allocate(long bytes) {
        garbage += bytes;
    }

    /** Like `allocate`, for work that is only done while there is room. */
    public void allocateBackground(long bytes) {
        backgroundGarbage += bytes;
    }

    /** Garbage stays in memory until the program collects it, which may take hours. */
    public boolean hasRoom() {
        if (canary.get() == null) {
            garbage = 0;
            backgroundGarbage = 0;
            canary = new WeakReference<Object>(new Object());
        }
        return backgroundGarbage < memory / BACKGROUND_PART;
    }
}
