package substrate.agent.act;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.state.Holder;
import substrate.agent.state.Shown;
import substrate.agent.vm.Vm;

/** The public methods of the objects that the state shows. */
public final class MethodActions implements ActionSource {
    static final String SCHEME = "method:";
    private static final int MAX_ACTIONS = 300;
    /** However many classes there are, each may show this many actions. */
    private static final int MIN_SHARE = 12;
    /** Classes at one shape whose methods are put together. */
    private static final int MAX_TYPES = 8;
    private static final int MAX_SHAPE = 1500;
    private static final int MAX_PARAMETERS = 64;
    private static final int MAX_RUNAWAYS = 32;
    private static final int MAX_LOOKS = 5;

    private final Vm vm;
    private final Shown shown;
    private final ClassMethods methods;
    private final Coerce coerce;
    private List<ActionInfo> last = Collections.emptyList();
    private int version;
    /** Looks that may still be taken at these holders: effects that were not told in time may be at the next one. */
    private int looksLeft = MAX_LOOKS;

    public MethodActions(Vm vm, Shown shown) {
        this.vm = vm;
        this.shown = shown;
        methods = new ClassMethods(shown);
        coerce = new Coerce(vm, shown);
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public synchronized List<ActionInfo> actions() {
        int now = shown.holdersVersion();
        if (now != version) looksLeft = MAX_LOOKS;
        version = now;
        if (looksLeft == 0) return last;
        List<Candidate> chosen = choose(candidates());
        Effects effects = new Effects(chosen.isEmpty() ? new Class<?>[0] : vm.loadedClasses());
        List<ActionInfo> actions = new ArrayList<ActionInfo>(chosen.size());
        for (Candidate candidate : chosen) {
            ActionInfo info = candidate.info(effects);
            if (info.parameters.size() <= MAX_PARAMETERS) actions.add(info);
        }
        looksLeft = effects.isCut() ? looksLeft - 1 : 0;
        last = actions;
        ClassFile.forgetAll();
        return actions;
    }

    private List<Candidate> candidates() {
        List<Candidate> all = new ArrayList<Candidate>();
        for (Holder holder : shown.holders()) {
            if (holder.shape.length() > MAX_SHAPE) continue;
            Map<String, Candidate> byName = new LinkedHashMap<String, Candidate>();
            int count = Math.min(holder.types.length, MAX_TYPES);
            for (int at = 0; at < count; at++) addAll(byName, holder, holder.types[at]);
            all.addAll(byName.values());
        }
        return all;
    }

    private void addAll(Map<String, Candidate> byName, Holder holder, Class<?> type) {
        for (Map.Entry<String, List<Signature>> named : methods.of(type).entrySet()) {
            for (Signature signature : named.getValue()) {
                if (signature.isStatic != holder.isStatic) continue;
                Candidate candidate = byName.get(named.getKey());
                if (candidate == null) byName.put(named.getKey(), candidate = new Candidate(holder, named.getKey()));
                candidate.add(type, signature);
            }
        }
    }

    /** The most useful; a class that is met in many places gives way to others, but what room is left is used. */
    private static List<Candidate> choose(List<Candidate> all) {
        Collections.sort(all, new java.util.Comparator<Candidate>() {
            @Override
            public int compare(Candidate one, Candidate other) {
                return one.rank() - other.rank();
            }
        });
        if (all.size() <= MAX_ACTIONS) return all;
        Map<Class<?>, Integer> counts = new HashMap<Class<?>, Integer>();
        for (Candidate candidate : all) counts.put(candidate.types.get(0), 0);
        int share = Math.max(MIN_SHARE, MAX_ACTIONS / counts.size());
        List<Candidate> chosen = new ArrayList<Candidate>();
        List<Candidate> waiting = new ArrayList<Candidate>();
        for (Candidate candidate : all) {
            int count = counts.get(candidate.types.get(0));
            counts.put(candidate.types.get(0), count + 1);
            (count < share ? chosen : waiting).add(candidate);
        }
        chosen.addAll(waiting);
        return chosen.subList(0, MAX_ACTIONS);
    }

    @Override
    public Outcome invoke(String binding, Map<String, Object> args, long timeoutMs) throws BadArgument, NotDispatched {
        int hash = binding.lastIndexOf('#');
        if (!binding.startsWith(SCHEME) || hash < 0) throw new NotDispatched("there is no action " + binding);
        if (TimedCall.runaways() >= MAX_RUNAWAYS) {
            throw new NotDispatched(MAX_RUNAWAYS + " earlier calls are still running");
        }
        ShapePath shape = new ShapePath(binding.substring(SCHEME.length(), hash));
        String name = binding.substring(hash + 1);
        String path = shape.path(args);
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
        open(method);
        return new Invocation(vm, shown, method, isStatic ? null : found, overloads.values(), timeoutMs).run();
    }

    private List<Signature> signatures(Class<?> type, String name, boolean isStatic, String path) throws NotDispatched {
        List<Signature> fitting = new ArrayList<Signature>();
        List<Signature> named = methods.of(type).get(name);
        if (named != null) for (Signature signature : named) if (signature.isStatic == isStatic) fitting.add(signature);
        if (fitting.isEmpty()) throw new NotDispatched(path + " is a " + type.getName() + " and has no method " + name);
        return fitting;
    }

    private void open(java.lang.reflect.Method method) throws NotDispatched {
        try {
            vm.open(method.getDeclaringClass());
            method.setAccessible(true);
        } catch (RuntimeException closed) {
            throw new NotDispatched("the JVM does not let " + method.getName() + " be called from outside");
        }
    }
}
