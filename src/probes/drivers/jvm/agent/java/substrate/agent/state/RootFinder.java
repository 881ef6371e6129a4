package substrate.agent.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.health.Discarded;
import substrate.agent.read.Shapes;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** Searches for roots, the cheapest way first, and no more often than its cost allows. */
final class RootFinder implements HeldObjects.Visitor {
    private static final String DEPLOYED = "held by the server that it is deployed in";
    private static final long LEAST_PAUSE_NANOS = 3_000_000_000L;
    /** A search may take one part in this many of the time. */
    private static final int PART_OF_TIME = 50;
    private static final int MAX_OBJECTS = 20_000;
    private static final int MAX_OF_LIBRARIES = 3000;
    private static final int DEEP = 20;
    /** The fraction of a capture's time: enough for the object limits, so that each search finds the same. */
    private static final double PART = 0.3;
    private static final int MAX_HELD = 500;
    /** The number of searches that may follow each other at once. */
    private static final int MAX_AGAIN = 5;
    /** More objects of one class are elements of something, not roots. */
    private static final int MAX_OF_KIND = 20;

    private final Vm vm;
    private final StaticRoots statics;
    private final ThreadRoots threads;
    private final StackRoots stacks;
    private final WindowRoots windows;
    private final HeldObjects held;
    private final SpringBeans beans;
    private final HttpSessions sessions;
    private final Variables variables;
    private final Shapes shapes;
    private final RootRegistry registry;
    private final Leads leads;
    private final Pace pace;
    private boolean wasLate;
    private long nextSearch;
    private boolean hasSearched;
    private int again;
    /** A deep search reached more: later ones must be deep too, or its roots would disappear. */
    private boolean isDeep;

    private List<RootCandidate> heldByThreads = new ArrayList<RootCandidate>();
    private final Map<String, Integer> heldOfKind = new HashMap<String, Integer>();
    private List<Object> registries = new ArrayList<Object>();
    private List<Object> managers = new ArrayList<Object>();
    private List<Object> bindings = new ArrayList<Object>();

    RootFinder(Vm vm, AppClasses classes, Shapes shapes, RootRegistry registry, Leads leads, Pace pace) {
        this.pace = pace;
        this.leads = leads;
        this.vm = vm;
        this.shapes = shapes;
        this.registry = registry;
        statics = new StaticRoots(vm, classes, shapes, pace);
        threads = new ThreadRoots(vm, classes);
        stacks = new StackRoots(vm, classes, shapes);
        windows = new WindowRoots(vm, classes, shapes);
        held = new HeldObjects(vm, classes, shapes, pace);
        beans = new SpringBeans(vm, classes, shapes);
        sessions = new HttpSessions(vm, shapes);
        variables = new Variables(vm, classes, shapes, pace);
    }

    /** Roots that are made again for each capture. */
    List<RootCandidate> made() {
        List<RootCandidate> made = new ArrayList<RootCandidate>();
        RootCandidate root = sessions.root();
        if (root != null) made.add(root);
        made.addAll(variables.roots());
        return made;
    }

    /** Updates the registry if a search is due; returns candidates for further roots. */
    List<RootCandidate> search(boolean isWanted, boolean deep) {
        wasLate = false;
        long start = System.nanoTime();
        boolean isDue = !hasSearched || isWanted || deep && !isDeep || start - nextSearch >= 0 || registry.isSomeGone();
        if (!isDue) return new ArrayList<RootCandidate>();
        isDeep |= deep;
        leads.open();
        List<RootCandidate> candidates = new ArrayList<RootCandidate>();
        long before = pace.spent();
        try {
            candidates = search();
        } catch (RuntimeException failed) {
            // The known roots stay.
            Discarded.count("RootFinder.search", failed);
        } catch (LinkageError failed) {
            // A class of the app cannot be linked.
            Discarded.count("RootFinder.search", failed);
        }
        hasSearched = true;
        long cost = pace.spent() - before;
        nextSearch = start + Math.max(LEAST_PAUSE_NANOS, cost * PART_OF_TIME);
        return candidates;
    }

    /** The last capture found objects that may lead to more: the next capture searches again. */
    void searchSoon() {
        if (again++ < MAX_AGAIN) nextSearch = System.nanoTime();
    }

    /** True if the time was too short for a complete search. */
    boolean wasLate() {
        return wasLate;
    }

    private List<RootCandidate> search() {
        try {
            List<Object> hidden = new ArrayList<Object>();
            List<ClassLoader> deployments = new ArrayList<ClassLoader>();
            Class<?>[] loaded = vm.loadedClasses();
            List<RootCandidate> standing = statics.find(loaded, hidden, deployments);
            List<Object> hiddenOnStacks = new ArrayList<Object>();
            List<RootCandidate> onStacks = stacks.find(hiddenOnStacks);
            // The shortest way through a server to its apps: followed completely before any other.
            for (ClassLoader loader : deployments) held.startFields(loader, DEPLOYED);
            boolean isComplete = follow();
            threads.startAll(held);
            windows.startAll(held, loaded);
            for (Object object : hiddenOnStacks) held.start(object, "held by a local variable");
            for (Object object : hidden) held.start(object, "held by a static field");
            leads.startAll(held, this);
            isComplete &= follow();
            for (Object registry : registries) standing.addAll(beans.beansOf(registry));
            sessions.take(managers);
            variables.search(loaded, bindings);
            // Variables have more meaningful names than classes: stacks come before threads.
            onStacks.addAll(heldByThreads);
            return registry.take(standing, onStacks, isComplete);
        } finally {
            held.clear();
            heldByThreads = new ArrayList<RootCandidate>();
            heldOfKind.clear();
            registries = new ArrayList<Object>();
            managers = new ArrayList<Object>();
            bindings = new ArrayList<Object>();
        }
    }

    private boolean follow() {
        int factor = isDeep ? DEEP : 1;
        long until = pace.after(PART);
        boolean isComplete = held.run(this, MAX_OBJECTS * factor, MAX_OF_LIBRARIES * factor, until);
        wasLate |= !isComplete && pace.isPast(until);
        return isComplete;
    }

    @Override
    public void ofApp(Object object, String origin) {
        bindings.add(variables.bindingOf(object));
        // A flat object, of a few scalars, is not a root only because something holds it.
        boolean isPlace = origin.equals(DEPLOYED) || origin.startsWith(ThreadRoots.ORIGIN);
        if (!isPlace && shapes.of(object.getClass()).isFlat) return;
        add("held", RootCandidate.nameOf(object.getClass()), null, origin, object);
    }

    @Override
    public void collection(Object collection, String name, String origin) {
        Class<?> element = name == null ? shapes.elementOf(collection) : null;
        if (name != null) add("held", null, name, origin, collection);
        else if (element != null) add("elements", RootCandidate.nameOf(element), null, origin, collection);
    }

    private void add(String kind, String type, String name, String origin, Object object) {
        String key = kind + ' ' + type + ' ' + name;
        Integer count = heldOfKind.get(key);
        if (heldByThreads.size() >= MAX_HELD || count != null && count >= MAX_OF_KIND) return;
        heldOfKind.put(key, count == null ? 1 : count + 1);
        heldByThreads.add(RootCandidate.object(kind, type, name, origin, object));
    }

    @Override
    public void ofLibrary(Object object) {
        if (SpringBeans.isRegistry(object)) registries.add(object);
        else if (HttpSessions.isManager(object)) managers.add(object);
        else if (Variables.isBinding(object)) bindings.add(object);
    }
}
