package substrate.agent.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.health.Discarded;
import substrate.agent.json.Pieces;
import substrate.agent.read.MemberOrder;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Ownership;
import substrate.agent.read.Rules;
import substrate.agent.read.Shapes;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** Finds the app's state and reports it: everything, or the changes since the last report. */
public final class StateReader implements Shown {
    /** A report has to fit into a frame, with roots and actions: see Protocol. */
    private static final long MAX_BYTES = 112L * 1024 * 1024;

    /** The fraction of a capture's time for the state; the rest is for its actions. */
    private static final double PART = 0.75;
    /** A walk has at least this much time: without it the search would be useless. */
    private static final long LEAST_NANOS = 5_000_000L;
    /** The minimum, however little time there is. */
    private static final int LEAST_LEAVES = 500;
    private static final int WALKS = 3;
    private static final int MAX_NAMES = 1000;

    private final List<RootSource> extra;
    private final AppClasses classes;
    private final Shapes shapes;
    private final MemberOrder order = new MemberOrder();
    private final ObjectReader reader;
    private final Walk walk;
    private final RootRegistry registry = new RootRegistry();
    private final Leads leads = new Leads();
    private final RootFinder finder;
    private final LeafTable table = new LeafTable();
    private final TypesByShape holders = new TypesByShape();
    private final HeapGuard heap;
    /** Arrays of reports that were not sent. */
    private final List<byte[]> spare = new ArrayList<byte[]>();
    private final Vm vm;
    private final Pace pace;
    private final int maxKeys;
    /** The part of `maxKeys` for keys of windows. */
    private int reservedKeys;
    /** Ids of roots by the names that the daemon gave them. */
    private final Map<String, String> ids = new HashMap<String, String>();
    private boolean mustBeFull = true;
    /** The number of leaves that can be read in the time; there are more. */
    private int timeCap = Integer.MAX_VALUE;
    /** Leaves per nanosecond of the last walk. */
    private double rate;

    public StateReader(Vm vm, int maxKeys, Pace pace, List<RootSource> extra) {
        this.vm = vm;
        this.maxKeys = maxKeys;
        this.pace = pace;
        this.extra = new ArrayList<RootSource>(extra);
        classes = new AppClasses();
        shapes = new Shapes(vm, classes);
        reader = new ObjectReader(shapes, order);
        walk = new Walk(shapes, reader, pace, leads);
        finder = new RootFinder(vm, classes, shapes, registry, leads, pace);
        heap = new HeapGuard(maxKeys, pace.memory());
    }

    /** Called before the first capture. */
    public synchronized void learn(Map<?, ?> rules) {
        Rules.learn(rules);
        classes.learn((Map<?, ?>) rules.get("owners"));
    }

    /** The class that the app was started with; null if not known. */
    public String mainClass() {
        return classes.mainClass();
    }

    /** The number of keys that the daemon keeps for windows. */
    public synchronized void reserve(Object keys) {
        reservedKeys = keys instanceof Number ? ((Number) keys).intValue() : 0;
    }

    /** The names of roots in the request's paths, as JSON; null if there are none. */
    public synchronized void name(Object roots) {
        if (ids.size() > MAX_NAMES) ids.clear();
        if (roots instanceof Map)
            for (Map.Entry<?, ?> root : ((Map<?, ?>) roots).entrySet())
                ids.put(String.valueOf(root.getKey()), String.valueOf(root.getValue()));
    }

    public synchronized CaptureReport capture(boolean full, boolean deep) {
        Rules.require();
        try {
            return captureOnce(full, deep);
        } catch (OutOfMemoryError tooLarge) {
            // The next capture will be smaller. It is not repeated now: the app needs the remaining memory.
            table.forget();
            heap.shrink();
            mustBeFull = true;
            throw tooLarge;
        } catch (RuntimeException failed) {
            mustBeFull = true;
            throw failed;
        } catch (Error failed) {
            mustBeFull = true;
            throw failed;
        }
    }

    private CaptureReport captureOnce(boolean wanted, boolean deep) {
        boolean full = wanted || mustBeFull || table.isSparse();
        int room = Math.min(heap.cap(full), ownKeys());
        int cap = Math.min(room, moreThanLastTime());
        List<RootCandidate> made = extraRoots(wanted);
        List<RootCandidate> candidates = finder.search(wanted, deep);
        made.addAll(finder.made());
        List<RootCandidate> first = new ArrayList<RootCandidate>(made);
        first.addAll(registry.first());
        Pieces leaves = null;
        for (int left = WALKS; leaves == null; left--) {
            List<RootCandidate> asked = left == 1 ? new ArrayList<RootCandidate>() : candidates;
            leaves = walkOnce(full || left < WALKS, cap, first, asked, left);
            // The next walk shares the number of leaves that can be read in the time.
            if (leaves == null && walk.wasLate()) cap = Math.min(room, timeCap = affordable(left - 1));
        }
        if (leads.close()) finder.searchSoon();
        order.nextWalk();
        spare.clear();
        pace.allocate(leaves.byteCount() + (full ? (long) walk.count() * HeapGuard.BYTES_PER_LEAF : 0));
        if (!walk.isCut()) timeCap = Integer.MAX_VALUE;
        else if (walk.wasLate()) timeCap = Math.max(LEAST_LEAVES, walk.count());
        if (leaves.byteCount() > MAX_BYTES) {
            heap.shrink();
            throw new IllegalStateException("its state is too large for one report; the next one will be smaller");
        }
        int seen = walk.count() + walk.leftOut();
        double coverage = seen == 0 ? 1 : (double) walk.count() / seen;
        return new CaptureReport(leaves, shown(made), seen, coverage, stoppedBy(room, cap));
    }

    private String stoppedBy(int room, int cap) {
        if (finder.wasLate()) return Pace.TIME;
        if (!walk.isCut()) return null;
        if (cap < room || walk.wasLate()) return Pace.TIME;
        // Long texts count as several keys.
        return walk.count() < ownKeys() && (room < ownKeys() || walk.isWeighed()) ? Pace.MEMORY : null;
    }

    private int ownKeys() {
        return Math.max(1, maxKeys - reservedKeys);
    }

    /** Each capture reads a little more of the rest. */
    private int moreThanLastTime() {
        if (timeCap == Integer.MAX_VALUE) return timeCap;
        long more = (long) Math.min(timeCap / 2, Math.max(LEAST_LEAVES, rate * Pace.MORE));
        return timeCap = (int) Math.min(Integer.MAX_VALUE, timeCap + more);
    }

    /** The number of leaves that one of `left` remaining walks can read. */
    private int affordable(int left) {
        double leaves = rate * (deadline(left) - pace.spent()) * PART;
        return (int) Math.max(LEAST_LEAVES, Math.min(Integer.MAX_VALUE, leaves));
    }

    /**
     * Each possible walk has its part of the time. After the search only the cap limits a walk: leaves that were shown
     * are read again, and do not disappear for lack of time.
     */
    private long deadline(int left) {
        if (!pace.isSearch()) return Long.MAX_VALUE;
        long now = pace.spent();
        return Math.max(now + LEAST_NANOS, now + (pace.until(PART) - now) / left);
    }

    /**
     * Null if the walk has to be repeated and is not the last: otherwise the next capture would report changes that are
     * none.
     */
    private Pieces walkOnce(boolean full, int cap, List<RootCandidate> first, List<RootCandidate> candidates, int left) {
        long began = pace.spent();
        holders.beginWalk();
        mustBeFull = true;
        walk.child().weigh(heap.charactersPerLeaf());
        LeafReport report = new LeafReport(table, walk.child(), full, spare);
        boolean isSettled = walk.run(first, registry.later(), candidates, registry, cap, deadline(left), report, holders);
        rate = walk.count() / (double) Math.max(1, pace.spent() - began);
        if (!isSettled && left > 1) {
            report.release();
            return null;
        }
        Pieces leaves = report.finish();
        holders.endWalk();
        mustBeFull = false;
        return leaves;
    }

    private List<RootCandidate> extraRoots(boolean fresh) {
        List<RootCandidate> roots = new ArrayList<RootCandidate>();
        for (RootSource source : extra) {
            try {
                roots.addAll(source.roots(fresh));
            } catch (Throwable failed) {
                // The roots of this source are missing in this capture.
                Discarded.count("StateReader.extraRoots", failed);
            }
        }
        return roots;
    }

    private List<RootCandidate> shown(List<RootCandidate> made) {
        List<RootCandidate> roots = new ArrayList<RootCandidate>(made);
        roots.addAll(registry.first());
        roots.addAll(registry.later());
        return roots;
    }

    @Override
    public synchronized int holdersVersion() {
        return holders.version();
    }

    @Override
    public synchronized List<Holder> holders() {
        return holders.list();
    }

    @Override
    public synchronized Object find(String path) {
        List<Object> segments = Paths.parse(path);
        if (segments == null) return null;
        String id = ids.get(segments.get(0));
        List<RootCandidate> made = extraRoots(false);
        made.addAll(finder.made());
        PathFinder paths = new PathFinder(shapes, reader);
        try {
            for (RootCandidate root : shown(made)) if (root.id.equals(id)) return paths.find(root, segments);
            return null;
        } finally {
            shapes.forgetLast();
        }
    }

    @Override
    public synchronized Object onlyStep(String path) {
        return shapes.onlyStep(find(path));
    }

    @Override
    public synchronized Object flatten(Object value, int maxLeaves) {
        List<RootCandidate> roots = new ArrayList<RootCandidate>(registry.first());
        roots.addAll(registry.later());
        return Flattening.flatten(value, roots, maxLeaves, shapes, Pace.free(vm));
    }

    @Override
    public boolean isOfApp(Class<?> type) {
        return classes.of(type) == Ownership.APP;
    }
}
