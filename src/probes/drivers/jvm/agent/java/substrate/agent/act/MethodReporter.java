package substrate.agent.act;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import substrate.agent.code.CodeReporter;
import substrate.agent.code.SourceHashes;
import substrate.agent.code.TypeIds;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Holder;
import substrate.agent.state.Shown;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * Reports the public methods of the objects that the state shows to one daemon: each place, class and method once, in
 * small pieces. The daemon decides which of them are actions, and how they are called (src/probes/insight/methods/).
 */
public final class MethodReporter {
    private static final long MS = 1000000L;
    private static final String NO_CODE = "{\"isReset\":false,\"methods\":[],\"members\":[],\"bodies\":[],\"contracts\":[]}";
    /** This much work is followed by a rest of a multiple of its time, so that the app hardly notices it. */
    private static final long BUDGET_NS = 20 * MS;
    private static final int REST = 25;
    /** Methods are listed in pieces of this, between which the pace may ask for a rest. */
    private static final long PIECE_NS = 2 * MS;
    /** The interval of checks for newly loaded classes, which may override methods that were proven harmless. */
    private static final long ASK_EVERY_NS = 10000 * MS;
    /** The garbage of a millisecond of proving. */
    private static final int BYTES_PER_MS = 70000;
    private static final int MAX_TYPES = 8;
    private static final int MAX_SHAPE = 1500;
    private static final int MUCH = 100;
    private static final int STATIC = 2;

    private final long budget;
    private final int rest;
    private final long askEvery;
    private final Vm vm;
    private final Shown shown;
    private final Pace pace;
    private final TypeIds ids = new TypeIds();
    private final FactsWriter writer;
    private final ClassMethods methods;
    private final SayableTypes sayable = new SayableTypes();
    private final SourceHashes hashes = new SourceHashes();
    private final TypeDefinitions definitions = new TypeDefinitions(hashes);
    private final ValueMaker values;
    private long sequence;
    /** Numbers of the places by shape; `sentPlaces` has the last report of each. */
    private final Map<String, Integer> places = new HashMap<String, Integer>();
    private final Map<String, String> sentPlaces = new HashMap<String, String>();
    private int nextPlace;
    private int version = -1;
    private final Set<Integer> sentTypes = new HashSet<Integer>();
    /** True when all requested methods are reported. */
    private boolean isListed;
    /** True when the list was complete once. */
    private boolean isWhole;
    private final CodeReporter code;
    private int codeVersion;
    private int loadedCount = -1;
    private long askAt = System.nanoTime();
    private long restUntil = askAt;
    /** Work since the last rest. */
    private long worked;

    public MethodReporter(Vm vm, Shown shown, Pace pace) {
        this(vm, shown, pace, BUDGET_NS, REST, ASK_EVERY_NS);
    }

    MethodReporter(Vm vm, Shown shown, Pace pace, long budget, int rest, long askEvery) {
        this.pace = pace;
        this.budget = budget;
        this.rest = rest;
        this.askEvery = askEvery;
        this.vm = vm;
        this.shown = shown;
        writer = new FactsWriter(shown, ids, sayable, definitions, hashes);
        methods = new ClassMethods(shown, pace, writer, sayable);
        values = new ValueMaker(vm, shown);
        code = new CodeReporter(vm, ids);
    }

    /** Ids of classes, shared by all reports. */
    public TypeIds types() {
        return ids;
    }

    /** A cheap check whether a request is worth it. */
    public synchronized boolean hasNews() {
        long now = System.nanoTime();
        if (now - restUntil < 0) return false;
        return version != shown.holdersVersion() || !isListed || now - askAt >= 0;
    }

    /** True when the list will not grow: the pace gives the first list the time of a search. */
    public synchronized boolean isListed() {
        return isListed;
    }

    /**
     * `request` is a MethodsQuestion of method-catalog.ts; the answer is written without its end, see method-facts.ts.
     */
    public synchronized void report(StringBuilder out, Map<?, ?> request) {
        boolean isReset = sequence == 0 || !Long.valueOf(sequence).equals(request.get("sequence"));
        if (isReset) forget();
        sayable.take((Map<?, ?>) request.get("sayable"));
        long begin = System.nanoTime();
        StringBuilder types = new StringBuilder();
        StringBuilder changed = null;
        StringBuilder listed = new StringBuilder();
        StringBuilder asked = new StringBuilder();
        // Without room for its garbage, the work waits until the app has collected.
        boolean mayWork = isReset || begin - restUntil >= 0 && pace.hasRoom();
        String[] stamp = null;
        List<?> wanted = asked(request, "types");
        if (mayWork) {
            if (version != shown.holdersVersion()) changed = places(types);
            isListed = list(listed, wanted, (Long) request.get("enough")) && changed == null;
            if (wanted.isEmpty() && changed == null) {
                checkForNewClasses(begin);
                reportCode(asked, request);
            }
            isWhole |= isListed;
            long end = System.nanoTime();
            worked += isWhole ? end - begin : 0;
            if (worked >= budget) {
                restUntil = end + Math.min(worked, budget) * rest;
                worked = 0;
            }
        }
        if (wanted.isEmpty() && Boolean.TRUE.equals(request.get("wantsStamp"))) {
            checkForNewClasses(begin);
            stamp = hashes.ofLoaded(vm);
        }
        out.append("{\"sequence\":").append(++sequence).append(",\"isReset\":").append(isReset);
        out.append(",\"types\":[").append(types).append("],\"places\":").append(changed == null ? "null" : changed);
        out.append(",\"methods\":[").append(listed).append("],\"definitions\":[").append(definitions.take());
        out.append("],\"stamp\":");
        if (stamp == null) out.append("null");
        else out.append("{\"files\":\"").append(stamp[0]).append("\",\"loaded\":\"").append(stamp[1]).append("\"}");
        out.append(",\"codeVersion\":").append(codeVersion).append(",\"code\":");
        out.append(asked.length() == 0 ? NO_CODE : asked);
    }

    private void forget() {
        places.clear();
        sentPlaces.clear();
        sentTypes.clear();
        definitions.forget();
        code.forget();
        isListed = false;
        version = -1;
        nextPlace = 0;
        isWhole = false;
    }

    /** New places and current classes; `types` gets the classes that were not reported yet. */
    private StringBuilder places(StringBuilder types) {
        version = shown.holdersVersion();
        StringBuilder changed = new StringBuilder("{\"changed\":[");
        StringBuilder order = new StringBuilder("],\"order\":[");
        Set<String> left = new HashSet<String>();
        for (Holder holder : nearestFirst(shown.holders())) {
            if (holder.shape.length() > MAX_SHAPE) continue;
            String key = holder.isStatic ? "static " + holder.shape : holder.shape;
            if (!left.add(key)) continue;
            Integer id = places.get(key);
            if (id == null) places.put(key, id = nextPlace++);
            String place = place(id, holder, types);
            if (!place.equals(sentPlaces.put(key, place))) {
                changed.append(changed.charAt(changed.length() - 1) == '[' ? "" : ",").append(place);
            }
            order.append(order.charAt(order.length() - 1) == '[' ? "" : ",").append(id);
        }
        places.keySet().retainAll(left);
        sentPlaces.keySet().retainAll(left);
        return changed.append(order).append("]}");
    }

    /** Objects come before static helpers: the time may be over before all is reported. */
    private static List<Holder> nearestFirst(List<Holder> holders) {
        List<Holder> sorted = new ArrayList<Holder>(holders);
        Collections.sort(sorted, new Comparator<Holder>() {
            @Override
            public int compare(Holder one, Holder other) {
                return distance(one) - distance(other);
            }
        });
        return sorted;
    }

    /**
     * The daemon's ranking: an element is as near as its list, and an object that holds much is important to the
     * program.
     */
    private static int distance(Holder holder) {
        int depth = holder.depth;
        for (int at = holder.shape.indexOf('*'); at > 0; at = holder.shape.indexOf('*', at + 1)) {
            char before = holder.shape.charAt(at - 1);
            if (before == '[' || before == '{') depth--;
        }
        if (holder.weight >= MUCH && !holder.isStatic) depth--;
        return Math.max(1, depth) + (holder.isStatic ? STATIC : 0);
    }

    private String place(int id, Holder holder, StringBuilder types) {
        StringBuilder out = new StringBuilder("{\"id\":").append(id);
        JsonWriter.string(out.append(",\"shape\":"), holder.shape);
        out.append(",\"isStatic\":").append(holder.isStatic);
        out.append(",\"isLarge\":").append(holder.weight >= MUCH).append(",\"types\":[");
        for (int at = 0; at < Math.min(holder.types.length, MAX_TYPES); at++) {
            int type = ids.of(holder.types[at]);
            out.append(at == 0 ? "" : ",").append(type);
            if (sentTypes.add(type)) writer.type(types.append(types.length() == 0 ? "" : ","), holder.types[at]);
        }
        return out.append("]}").toString();
    }

    /**
     * Runs until the list is complete once, for as long as the capture may take. False if not all could be reported.
     */
    private boolean list(StringBuilder out, List<?> wanted, long enough) {
        long until = isWhole ? pace.spent() + budget : pace.until(1);
        long pieceEnd = System.nanoTime() + Math.min(PIECE_NS, budget);
        long count = 0;
        for (int at = 0; at < wanted.size() && count < enough; at++) {
            if (at > 0 && System.nanoTime() - pieceEnd >= 0) {
                pace.step();
                if (pace.isPast(until) || !pace.hasRoom()) return false;
                pieceEnd = System.nanoTime() + Math.min(PIECE_NS, budget);
            }
            count += listMethodsOf(out, (Long) wanted.get(at));
        }
        return true;
    }

    /** Returns the number of methods. */
    private int listMethodsOf(StringBuilder out, long id) {
        Class<?> type = ids.type(id);
        out.append(out.length() == 0 ? "" : ",").append("{\"type\":").append(id).append(',');
        if (type == null) out.append("\"lineage\":[],\"isValue\":false,\"isEnum\":false");
        else writer.aboutType(out, type);
        out.append(",\"methods\":[");
        List<String> found = type == null ? Collections.<String>emptyList() : methods.factsOf(type);
        for (int at = 0; at < found.size(); at++) out.append(at == 0 ? "" : ",").append(found.get(at));
        out.append("]}");
        return found.size();
    }

    /** Newly loaded classes may override any method. Listing methods loads the classes in their signatures. */
    private void checkForNewClasses(long now) {
        if (loadedCount >= 0 && now - askAt < 0) return;
        Class<?>[] loaded = vm.loadedClasses();
        askAt = now + askEvery;
        int count = 0;
        for (Class<?> type : loaded) if (type.getClassLoader() != null && !type.isArray()) count++;
        if (count == loadedCount) return;
        loadedCount = count;
        codeVersion++;
        code.outdate();
    }

    /** Reports as much of the requested code as the time allows. */
    private void reportCode(StringBuilder out, Map<?, ?> request) {
        List<?> keys = asked(request, "methods");
        List<?> bodies = asked(request, "bodies");
        List<?> members = asked(request, "members");
        List<?> contracts = asked(request, "contracts");
        if (keys.isEmpty() && bodies.isEmpty() && members.isEmpty() && contracts.isEmpty()) {
            code.rest();
            return;
        }
        if (pace.isPast(pace.until(1))) return;
        long begin = System.nanoTime();
        long until = begin + budget;
        code.begin();
        out.append("{\"isReset\":false,\"methods\":[");
        char separator = ' ';
        for (int at = 0; at < keys.size() && (at == 0 || System.nanoTime() - until < 0); at++) {
            List<?> key = (List<?>) keys.get(at);
            Class<?> type = ids.type((Long) key.get(0));
            String method = (String) key.get(1);
            Integer number = type == null ? null : code.codeOf(type, method);
            JsonWriter.string(out.append(separator).append('[').append(key.get(0)).append(','), method);
            out.append(',').append(number).append(']');
            separator = ',';
            if (number != null && System.nanoTime() - until < 0) code.bodyUnlessSent(number);
        }
        for (int at = 0; at < members.size() && (at == 0 || System.nanoTime() - until < 0); at++) {
            code.member((Long) members.get(at));
        }
        StringBuilder found = new StringBuilder();
        for (int at = 0; at < contracts.size() && (at == 0 || System.nanoTime() - until < 0); at++) {
            code.contracts(found, (Long) contracts.get(at));
        }
        for (int at = 0; at < bodies.size() && (at == 0 || System.nanoTime() - until < 0); at++) {
            code.body((Long) bodies.get(at));
        }
        code.end(out.append("],"));
        out.append(",\"contracts\":[").append(found).append("]}");
        pace.allocateBackground((System.nanoTime() - begin) / MS * BYTES_PER_MS);
    }

    private static List<?> asked(Map<?, ?> request, String what) {
        Object asked = request.get(what);
        return asked instanceof List ? (List<?>) asked : Collections.emptyList();
    }

    /** `request`: {methods: [[type, key]…], paths: […]}; see CallQuestion in method-catalog.ts. */
    public synchronized void describe(StringBuilder out, Map<?, ?> request, Class<?>[] others) {
        for (Object each : asked(request, "methods")) {
            List<?> key = (List<?>) each;
            Class<?> type = ids.type((Long) key.get(0));
            java.lang.reflect.Method method = type == null ? null : methods.find(type, (String) key.get(1));
            if (method == null) continue;
            for (Type parameter : ClassMethods.typesOf(method)) definitions.mentionAll(Generics.of(type), parameter);
        }
        for (Class<?> other : others) definitions.mentionAll(Generics.NONE, other);
        out.append("{\"definitions\":[").append(definitions.take()).append("],\"named\":[");
        String separator = "";
        for (Object path : asked(request, "paths")) {
            Object found = shown.find((String) path);
            out.append(separator);
            separator = ",";
            // A class stands for its static fields: it is no object.
            if (found == null || found instanceof Class) {
                out.append("null");
                continue;
            }
            JsonWriter.string(out.append("{\"name\":"), found.getClass().getName());
            JsonWriter.value(out.append(",\"lineage\":"), TypeText.lineage(found.getClass()));
            out.append('}');
        }
        out.append("]}");
    }

    /** `call`: {path, open, method, choices: [{type, key, values} or {type, refusal}…]}. */
    public Outcome invoke(Map<?, ?> call, Limit limit) throws BadArgument, NotDispatched {
        String name = (String) call.get("method");
        String path = ShapePath.path((String) call.get("path"), (List<?>) call.get("open"), shown);
        Object found = shown.find(path);
        if (found == null) throw new NotDispatched("there is no " + path);
        boolean isStatic = found instanceof Class;
        Class<?> type = isStatic ? (Class<?>) found : found.getClass();
        Long id = Long.valueOf(ids.of(type));
        for (Object each : (List<?>) call.get("choices")) {
            Map<?, ?> choice = (Map<?, ?>) each;
            if (!id.equals(choice.get("type"))) continue;
            if (choice.get("refusal") != null) throw new BadArgument((String) choice.get("refusal"));
            return invoke(type, isStatic ? null : found, choice, name, limit);
        }
        throw new NotDispatched(path + " is a " + type.getName() + " and has no method " + name);
    }

    private Outcome invoke(Class<?> type, Object object, Map<?, ?> choice, String name, Limit limit)
            throws BadArgument, NotDispatched {
        try {
            java.lang.reflect.Method method = methods.find(type, (String) choice.get("key"));
            if (method == null) throw new NotDispatched("there is no method " + name + " any more");
            makeAccessible(method);
            Plan[] plans = values.plans(choice.get("values"), Generics.of(type), ClassMethods.typesOf(method));
            return new Invocation(vm, shown, method, object, plans, limit).run();
        } catch (LinkageError incomplete) {
            throw new NotDispatched("a class that " + name + " needs is not there: " + incomplete.getMessage());
        }
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
