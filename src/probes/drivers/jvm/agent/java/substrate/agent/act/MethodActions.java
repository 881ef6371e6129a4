package substrate.agent.act;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.state.Shown;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** The public methods of the objects that the state shows. */
public final class MethodActions implements ActionSource {
    static final String SCHEME = "method:";
    private static final long MS = 1000000L;
    /** For one look; each is followed by a rest of so many times what it took, so that the app hardly feels it. */
    private static final long BUDGET_NS = 20 * MS;
    private static final int REST = 25;
    /** Methods are listed in pieces of this, between which the pace may ask for a rest. */
    private static final long PIECE_NS = 2 * MS;
    /** How often it is asked whether classes were loaded, which may override what was proven to be harmless. */
    private static final long ASK_EVERY_NS = 10000 * MS;
    /** What proving throws away. */
    private static final int BYTES_PER_MS = 70000;
    /** Looks of one round; what is not told by then stays unknown. */
    private static final int MAX_LOOKS = 60;

    private final long budget;
    private final int rest;
    private final long askEvery;
    private final Vm vm;
    private final Shown shown;
    private final Pace pace;
    private final ClassMethods methods;
    private final Coerce coerce;
    private List<ActionInfo> last = Collections.emptyList();
    private Map<String, String> proven = new HashMap<String, String>();
    private int version;
    private int looks;
    /** The list was whole once. */
    private boolean isWhole;
    /** Softly: it holds classes of the app. Null when all is told. */
    private SoftReference<ActionDiscoveryPass> open;
    private int loadedCount;
    private long askAt = System.nanoTime();
    private long restUntil = askAt;

    public MethodActions(Vm vm, Shown shown, Pace pace) {
        this(vm, shown, pace, BUDGET_NS, REST, ASK_EVERY_NS);
    }

    MethodActions(Vm vm, Shown shown, Pace pace, long budget, int rest, long askEvery) {
        this.pace = pace;
        this.budget = budget;
        this.rest = rest;
        this.askEvery = askEvery;
        this.vm = vm;
        this.shown = shown;
        methods = new ClassMethods(shown, pace);
        coerce = new Coerce(vm, shown);
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public synchronized List<ActionInfo> actions() {
        long now = System.nanoTime();
        // Without room for what it would throw away it waits until the app has collected its garbage.
        if (now - restUntil < 0 || !pace.hasRoom()) return last;
        ActionDiscoveryPass round = round(now);
        if (round == null) return last;
        boolean isLonger = list(round);
        // A part of the list is better than none, and worse than the one from before.
        boolean isNew = isLonger && (round.isListed() || !isWhole);
        isWhole |= round.isListed();
        long begin = System.nanoTime();
        if (round.isListed() && !pace.isPast(pace.until(1))) round.prove(begin + budget);
        pace.allocateAside((System.nanoTime() - begin) / MS * BYTES_PER_MS);
        boolean isOver = round.isDone() || ++looks == MAX_LOOKS;
        // What is proven in between is told at the end: the list is long.
        if (isNew || isOver) last = round.actions();
        if (isOver) {
            proven = round.proven();
            open = null;
            ClassFile.forgetAll();
        }
        long end = System.nanoTime();
        restUntil = isWhole ? end + Math.min(end - now, budget) * rest : end;
        return last;
    }

    /** Until the list is whole once, for as long as the capture may take: it is worth more than one in pieces. */
    private boolean list(ActionDiscoveryPass round) {
        if (round.isListed()) return false;
        long until = isWhole ? pace.spent() + budget : pace.until(1);
        do {
            round.list(System.nanoTime() + Math.min(PIECE_NS, budget));
            pace.step();
        } while (!round.isListed() && !pace.isPast(until) && pace.hasRoom());
        round.choose();
        return true;
    }

    /** All that can be told of these holders is told. */
    synchronized boolean isSettled() {
        return open == null && version == shown.holdersVersion();
    }

    /** The one that is under way, or a new one when there is a reason for it; null: all is told. */
    private ActionDiscoveryPass round(long now) {
        int holders = shown.holdersVersion();
        ActionDiscoveryPass round = open == null ? null : open.get();
        if (holders == version && round != null) return round;
        boolean isNewState = holders != version || open != null;
        if (!isNewState && now - askAt < 0) return null;
        int count = countOutsideJdk(vm.loadedClasses());
        askAt = now + askEvery;
        // Classes that came since may override anything.
        boolean isSame = count == loadedCount;
        if (!isNewState && isSame) return null;
        loadedCount = count;
        if (holders != version || open == null) looks = 0;
        version = holders;
        round = new ActionDiscoveryPass(vm, methods, shown.holders(), proven, isSame);
        open = new SoftReference<ActionDiscoveryPass>(round);
        return round;
    }

    private static int countOutsideJdk(Class<?>[] loaded) {
        int count = 0;
        for (Class<?> type : loaded) if (type.getClassLoader() != null && !type.isArray()) count++;
        return count;
    }

    @Override
    public Outcome invoke(String binding, Map<String, Object> args, Limit limit) throws BadArgument, NotDispatched {
        int hash = binding.lastIndexOf('#');
        if (!binding.startsWith(SCHEME) || hash < 0) throw new NotDispatched("there is no action " + binding);
        ShapePath shape = new ShapePath(binding.substring(SCHEME.length(), hash));
        String name = binding.substring(hash + 1);
        String path = shape.path(args, shown);
        Object found = shown.find(path);
        if (found == null) throw new NotDispatched("there is no " + path);
        boolean isStatic = found instanceof Class;
        Class<?> type = isStatic ? (Class<?>) found : found.getClass();
        Overloads overloads = new Overloads(methods, coerce, type, shape, args);
        try {
            overloads.choose(signatures(type, name, isStatic, path));
        } catch (LinkageError incomplete) {
            throw new NotDispatched("a class that " + name + " needs is not there: " + incomplete.getMessage());
        }
        java.lang.reflect.Method method = overloads.method();
        makeAccessible(method);
        return new Invocation(vm, shown, method, isStatic ? null : found, overloads.values(), limit).run();
    }

    private List<Signature> signatures(Class<?> type, String name, boolean isStatic, String path) throws NotDispatched {
        List<Signature> fitting = new ArrayList<Signature>();
        List<Signature> named = methods.of(type).get(name);
        if (named != null) for (Signature signature : named) if (signature.isStatic == isStatic) fitting.add(signature);
        if (fitting.isEmpty()) throw new NotDispatched(path + " is a " + type.getName() + " and has no method " + name);
        return fitting;
    }

    private void makeAccessible(java.lang.reflect.Method method) throws NotDispatched {
        try {
            vm.open(method.getDeclaringClass());
            method.setAccessible(true);
        } catch (RuntimeException closed) {
            throw new NotDispatched("the JVM does not let " + method.getName() + " be called from outside");
        }
    }
}
