package substrate.agent.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import substrate.agent.json.Pieces;
import substrate.agent.read.MemberOrder;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Ownership;
import substrate.agent.read.Shapes;
import substrate.agent.vm.Vm;

/** Finds the app's state and reports it: everything, or what changed since the last report. */
public final class StateReader implements Shown {
    /** A frame has to take it, with roots and actions besides: see Protocol. */
    private static final long MAX_BYTES = 112L * 1024 * 1024;

    private final List<RootSource> extra;
    private final AppClasses classes;
    private final Shapes shapes;
    private final MemberOrder order = new MemberOrder();
    private final ObjectReader reader;
    private final Walk walk;
    private final RootBook book = new RootBook();
    private final RootFinder finder;
    private final LeafTable table = new LeafTable();
    private final Holders holders = new Holders();
    private final HeapGuard heap;
    private boolean mustBeFull = true;

    public StateReader(Vm vm, int maxKeys, List<RootSource> extra) {
        this.extra = new ArrayList<RootSource>(extra);
        classes = new AppClasses(MainClass.find());
        shapes = new Shapes(vm, classes);
        reader = new ObjectReader(shapes, order);
        walk = new Walk(shapes, reader);
        finder = new RootFinder(vm, classes, shapes, book);
        heap = new HeapGuard(maxKeys);
    }

    public synchronized CaptureReport capture(boolean full, boolean deep) {
        try {
            return captureOnce(full, deep);
        } catch (OutOfMemoryError tooLarge) {
            // The next one will be smaller. Not at once: the app needs what is left now.
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
        int cap = heap.cap(full);
        List<Found> made = extraRoots(wanted);
        book.reserve(made);
        List<Found> candidates = finder.look(wanted, deep);
        made.addAll(finder.made());
        List<Found> first = new ArrayList<Found>(made);
        first.addAll(book.first());
        Pieces leaves = walkOnce(full, cap, first, candidates, false);
        if (leaves == null) leaves = walkOnce(true, cap, first, candidates, false);
        if (leaves == null) leaves = walkOnce(true, cap, first, new ArrayList<Found>(), true);
        order.nextWalk();
        if (leaves.byteCount() > MAX_BYTES) {
            heap.shrink();
            throw new IllegalStateException("its state is too large for one report; the next one will be smaller");
        }
        int seen = walk.count() + walk.leftOut();
        return new CaptureReport(leaves, shown(made), seen, seen == 0 ? 1 : (double) walk.count() / seen);
    }

    /** null, unless `isLast`: has to be done again, or the next capture would find changes where there are none. */
    private Pieces walkOnce(boolean full, int cap, List<Found> first, List<Found> candidates, boolean isLast) {
        holders.beginWalk();
        mustBeFull = true;
        walk.child().weigh(heap.charactersPerLeaf());
        LeafReport report = new LeafReport(table, walk.child(), full);
        boolean isSettled = walk.run(first, book.later(), candidates, book, cap, report, holders);
        if (!isSettled && !isLast) return null;
        Pieces leaves = report.finish();
        holders.endWalk();
        mustBeFull = false;
        return leaves;
    }

    private List<Found> extraRoots(boolean fresh) {
        List<Found> roots = new ArrayList<Found>();
        for (RootSource source : extra) {
            try {
                for (Root root : source.roots(fresh)) if (root.value != null) roots.add(Found.made(root));
            } catch (Throwable failed) {
                // Its roots are not there this time.
            }
        }
        return roots;
    }

    /** Without the objects: a report may be kept. */
    private List<Root> shown(List<Found> made) {
        List<Root> roots = new ArrayList<Root>();
        for (List<Found> part : Arrays.asList(made, book.first(), book.later()))
            for (Found root : part) roots.add(new Root(root.name, root.origin, root.label, null));
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
        List<Found> roots = extraRoots(false);
        roots.addAll(finder.made());
        roots.addAll(book.first());
        roots.addAll(book.later());
        PathFinder paths = new PathFinder(shapes, reader);
        try {
            for (Found root : roots) if (segments.get(0).equals(root.name)) return paths.find(root, segments);
            return null;
        } finally {
            shapes.forgetLast();
        }
    }

    @Override
    public synchronized Object flatten(Object value, int maxLeaves) {
        List<Found> roots = new ArrayList<Found>(book.first());
        roots.addAll(book.later());
        return Flattening.flatten(value, roots, maxLeaves, shapes);
    }

    @Override
    public boolean isOfApp(Class<?> type) {
        return classes.of(type) == Ownership.APP;
    }
}
