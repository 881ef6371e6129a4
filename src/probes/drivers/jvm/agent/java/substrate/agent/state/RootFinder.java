package substrate.agent.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.health.Discarded;
import substrate.agent.read.Shapes;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** Looks for roots, the cheapest way first, and no more often than its cost allows. */
final class RootFinder implements HeldObjects.Visitor {
    private static final String DEPLOYED = "held by the server that it is deployed in";
    private static final long LEAST_PAUSE_NANOS = 3_000_000_000L;
    /** A look may take this part of the time. */
    private static final int PART_OF_TIME = 50;
    private static final int MAX_OBJECTS = 20_000;
    private static final int MAX_OF_LIBRARIES = 3000;
    private static final int DEEP = 20;
    /** Of the time of a capture: long enough for what the counts allow, with which the same is found each time. */
    private static final double PART = 0.3;
    private static final int MAX_HELD = 500;
    /** So often a search is followed by another one at once. */
    private static final int MAX_AGAIN = 5;
    /** More of one kind are the elements of something, not places where state begins. */
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
    private final RootRegistry book;
    private final Leads leads;
    private final Pace pace;
    private boolean wasLate;
    private long nextLook;
    private boolean hasLooked;
    private int again;
    /** A deep look reached more: later ones must too, or its roots would go. */
    private boolean isDeep;

    private List<RootCandidate> heldByThreads = new ArrayList<RootCandidate>();
    private final Map<String, Integer> heldOfKind = new HashMap<String, Integer>();
    private List<Object> registries = new ArrayList<Object>();
    private List<Object> managers = new ArrayList<Object>();
    private List<Object> bindings = new ArrayList<Object>();

    RootFinder(Vm vm, AppClasses classes, Shapes shapes, RootRegistry book, Leads leads, Pace pace) {
        this.pace = pace;
        this.leads = leads;
        this.vm = vm;
        this.shapes = shapes;
        this.book = book;
        statics = new StaticRoots(vm, classes, shapes, pace);
        threads = new ThreadRoots(vm, classes);
        stacks = new StackRoots(vm, classes, shapes);
        windows = new WindowRoots(vm, classes, shapes);
        held = new HeldObjects(vm, classes, shapes, pace);
        beans = new SpringBeans(vm, classes, shapes);
        sessions = new HttpSessions(vm, shapes);
        variables = new Variables(vm, classes, shapes, pace);
    }

    /** Roots that are made anew for each capture. */
    List<RootCandidate> made() {
        List<RootCandidate> made = new ArrayList<RootCandidate>();
        RootCandidate root = sessions.root();
        if (root != null) made.add(root);
        made.addAll(variables.roots());
        return made;
    }

    /** Brings the book up to date if it is time; what might become a root. */
    List<RootCandidate> look(boolean isWanted, boolean deep) {
        wasLate = false;
        long start = System.nanoTime();
        boolean isDue = !hasLooked || isWanted || deep && !isDeep || start - nextLook >= 0 || book.isSomeGone();
        if (!isDue) return new ArrayList<RootCandidate>();
        isDeep |= deep;
        leads.open();
        List<RootCandidate> candidates = new ArrayList<RootCandidate>();
        long before = pace.spent();
        try {
            candidates = look();
        } catch (RuntimeException failed) {
            // What was known stays.
            Discarded.count("RootFinder.look", failed);
        } catch (LinkageError failed) {
            // A class of the app that cannot be linked.
            Discarded.count("RootFinder.look", failed);
        }
        hasLooked = true;
        long cost = pace.spent() - before;
        nextLook = start + Math.max(LEAST_PAUSE_NANOS, cost * PART_OF_TIME);
        return candidates;
    }

    /** What was found just now may lead to more: the next capture looks for it. */
    void lookSoon() {
        if (again++ < MAX_AGAIN) nextLook = System.nanoTime();
    }

    /** Not all could be looked through in the time. */
    boolean wasLate() {
        return wasLate;
    }

    private List<RootCandidate> look() {
        try {
            List<Object> hidden = new ArrayList<Object>();
            List<ClassLoader> deployments = new ArrayList<ClassLoader>();
            Class<?>[] loaded = vm.loadedClasses();
            List<RootCandidate> standing = statics.find(loaded, hidden, deployments);
            List<Object> hiddenOnStacks = new ArrayList<Object>();
            List<RootCandidate> onStacks = stacks.find(hiddenOnStacks);
            // The shortest way through a server to the apps in it: gone to its end before any other.
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
            variables.look(loaded, bindings);
            // A variable's name says more than a class's: stacks before threads.
            onStacks.addAll(heldByThreads);
            return book.take(standing, onStacks, isComplete);
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
        // A value that happens to be held is no place where state begins.
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
