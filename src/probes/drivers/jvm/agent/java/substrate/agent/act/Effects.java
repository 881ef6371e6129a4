package substrate.agent.act;

import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import substrate.agent.vm.Vm;

/**
 * What a call of a method may change, proven from its instructions and those of everything it calls. Whatever cannot be
 * proven is unknown. One is made for each look at the loaded classes: a class loaded later may override anything.
 */
final class Effects {
    /** Levels, each worse than the one before. */
    static final int NONE = 0;
    /** Writes fields of `this` and nothing else. */
    static final int FIELDS = 1;
    /** Writes fields of `this` and changes what they hold: lists, maps, arrays; or takes its lock. */
    static final int OWN = 2;
    static final int UNKNOWN = 3;

    private static final int MAX_DEPTH = 24;
    private static final int MAX_OVERRIDES = 60;
    /** Methods looked at for one answer: members of a large circle would be looked at again and again. */
    private static final int MAX_LOOKS = 600;
    private static final int MAX_FACTS = 4000;
    /** Facts hold no classes: they outlive the analysis. */
    private static final Map<Class<?>, Map<String, MethodFacts>> FACTS =
        new WeakHashMap<Class<?>, Map<String, MethodFacts>>();
    private static int factCount;

    private final Vm vm;
    private long deadline;
    private boolean isCut;
    private final Hierarchy hierarchy;
    /** Of each class, by name and descriptor; below zero: under analysis, that deep in the chain of calls. */
    private final Map<Class<?>, Map<String, Integer>> levels = new HashMap<Class<?>, Map<String, Integer>>();
    /** The outermost method that the last answer takes on trust, because it was under analysis itself. */
    private int trusted = Integer.MAX_VALUE;
    private int looks;

    Effects(Vm vm, Class<?>[] loaded) {
        this.vm = vm;
        hierarchy = new Hierarchy(loaded);
    }

    /** none, setter, own-state or unknown: of the method that an object of just this class runs. */
    String of(Class<?> type, String name, String descriptor) {
        String method = name + descriptor;
        Class<?> home = implementation(type, method);
        if (home == null || isCut()) return "unknown";
        looks = 0;
        trusted = Integer.MAX_VALUE;
        int level = level(home, method, 0);
        if (level == UNKNOWN) return "unknown";
        if (level == NONE) return "none";
        return Descriptor.slots(descriptor).length == 1 && isSetter(home, method) ? "setter" : "own-state";
    }

    /** What is asked after that is unknown for now; what was read by then is kept: the next piece gets further. */
    void workUntil(long nanos) {
        deadline = nanos;
        isCut = false;
    }

    boolean isCut() {
        if (!isCut) isCut = System.nanoTime() - deadline > 0;
        return isCut;
    }

    /**
     * It puts what it is given into one field of its object, whatever is there, and does nothing else: to give it the
     * value from before, as the state showed it, undoes it. An object that was there may be shown nowhere any more.
     */
    private boolean isSetter(Class<?> home, String method) {
        MethodFacts facts = factsOf(home, method);
        if (facts.level > FIELDS || facts.fieldFromArgument == null || facts.writesElse) return false;
        if (facts.fieldsRead.contains(facts.fieldFromArgument)) return false;
        String type = Descriptor.parameters(method.substring(method.indexOf('(')))[0];
        if (!isShownWhole(type, home)) return false;
        for (Call call : facts.calls) if (ofCall(call, home, 0) != NONE) return false;
        return true;
    }

    private boolean isShownWhole(String type, Class<?> home) {
        if (type.charAt(0) != 'L') return type.charAt(0) != '[';
        if (type.startsWith("Ljava/lang/") || type.startsWith("Ljava/time/") || type.startsWith("Ljava/math/")) {
            return !type.equals("Ljava/lang/Object;") && !type.equals("Ljava/lang/Iterable;");
        }
        Class<?> named = hierarchy.find(type.substring(1, type.length() - 1), home);
        return named == null ? type.equals("Ljava/util/UUID;") || type.equals("Ljava/util/Date;") : named.isEnum();
    }

    private int level(Class<?> home, String method, int depth) {
        Map<String, Integer> known = levels.get(home);
        if (known == null) levels.put(home, known = new HashMap<String, Integer>());
        Integer found = known.get(method);
        if (found != null && found >= 0) return found;
        if (found != null) {
            // A circle changes what its members change: what they do apart from it decides.
            trusted = Math.min(trusted, -1 - found);
            return NONE;
        }
        if (depth > MAX_DEPTH || looks++ > MAX_LOOKS || isCut()) return UNKNOWN;
        int outer = trusted;
        trusted = Integer.MAX_VALUE;
        known.put(method, -1 - depth);
        int level = judge(home, method, depth);
        // Good news that rests on a method still under analysis holds only if that turns out well.
        boolean isSure = level == UNKNOWN ? looks <= MAX_LOOKS && !isCut : trusted >= depth;
        if (isSure) known.put(method, level);
        else known.remove(method);
        trusted = Math.min(isSure ? Integer.MAX_VALUE : trusted, outer);
        return level;
    }

    private int judge(Class<?> home, String method, int depth) {
        MethodFacts facts = factsOf(home, method);
        int level = facts.level;
        // What can be told without looking further comes first: most of what is unknown shows here.
        for (Call call : facts.calls) if (PureJdk.knows(call.owner)) level = Math.max(level, PureJdk.level(call));
        if (level == UNKNOWN) return level;
        for (String owner : facts.staticsOf) if (!isSureToBeInitialised(owner, home)) return UNKNOWN;
        level = Math.max(level, ofContracts(facts, home, depth));
        for (int at = 0; at < facts.calls.size() && level < UNKNOWN; at++) {
            Call call = facts.calls.get(at);
            if (!PureJdk.knows(call.owner)) level = Math.max(level, ofCall(call, home, depth));
            else if (PureJdk.mayReorder(call)) level = Math.max(level, ofLookup(call, home));
        }
        return level;
    }

    /** The first touch of a class runs its initialiser, which may do anything. */
    private boolean isSureToBeInitialised(String owner, Class<?> from) {
        if (PureJdk.knows(owner)) return true;
        Class<?> type = hierarchy.find(owner, from);
        return type != null && (type == from || vm.isInitialised(type));
    }

    /** `equals`, `toString` and the like, which the JDK calls on what it is given: of the classes that are in play. */
    private int ofContracts(MethodFacts facts, Class<?> home, int depth) {
        int level = NONE;
        if (facts.handled.isEmpty()) return level;
        for (Call call : facts.calls) {
            for (String contract : PureJdk.contractsOf(call)) {
                for (String type : facts.handled) level = Math.max(level, ofContract(contract, type, home, depth));
            }
            if (!PureJdk.takesCollection(call)) continue;
            for (String type : facts.handled) level = Math.max(level, ofCollection(type, home, depth));
            if (level == UNKNOWN) return level;
        }
        return level;
    }

    private int ofContract(String contract, String type, Class<?> home, int depth) {
        Class<?> owner = hierarchy.find(type, home);
        // Nothing of it is there to be called.
        if (owner == null || owner.isEnum()) return NONE;
        List<Class<?>> below = hierarchy.below(owner);
        if (below.size() > MAX_OVERRIDES) return UNKNOWN;
        int level = ofContractOf(contract, owner, depth);
        for (int at = 0; at < below.size() && level < UNKNOWN; at++) {
            level = Math.max(level, ofContractOf(contract, below.get(at), depth));
        }
        return level;
    }

    /** A collection or text of the app's own make, which the JDK is given: it reads that by methods of the app. */
    private int ofCollection(String type, Class<?> home, int depth) {
        Class<?> owner = hierarchy.find(type, home);
        if (owner == null || !PureJdk.isCollection(owner)) return NONE;
        List<Class<?>> below = hierarchy.below(owner);
        if (below.size() > MAX_OVERRIDES) return UNKNOWN;
        int level = ofReading(owner, depth);
        for (int at = 0; at < below.size() && level < UNKNOWN; at++) {
            level = Math.max(level, ofReading(below.get(at), depth));
        }
        return level;
    }

    private int ofReading(Class<?> type, int depth) {
        ClassFile file = ClassFile.of(type);
        if (file == null) return UNKNOWN;
        int level = NONE;
        for (String method : file.methodKeys()) {
            if (!PureJdk.READING.contains(method.substring(0, method.indexOf('(')))) continue;
            level = Math.max(level, asSeenFromOutside(level(type, method, depth + 1), ValueOrigin.OTHER));
        }
        return level;
    }

    private int ofContractOf(String method, Class<?> type, int depth) {
        Class<?> home = implementation(type, method);
        // Not declared, or by the JDK; a lambda, which has no file, has these from Object.
        if (home == null) return type.isSynthetic() || ClassFile.of(type) != null ? NONE : UNKNOWN;
        return asSeenFromOutside(level(home, method, depth + 1), ValueOrigin.OTHER);
    }

    /** To look something up changes the order of a map that keeps what was used last at its end. */
    private int ofLookup(Call call, Class<?> home) {
        ClassFile file = ClassFile.of(home);
        boolean mayBe = call.owner.equals("java/util/LinkedHashMap") || file == null || file.makesMapsByAccess();
        for (Class<?> type : hierarchy.nestOf(home)) mayBe |= java.util.LinkedHashMap.class.isAssignableFrom(type);
        return mayBe ? PureJdk.ofWritingTo(call.receiver) : NONE;
    }

    private int ofCall(Call call, Class<?> from, int depth) {
        if (PureJdk.knows(call.owner)) return PureJdk.level(call);
        Class<?> owner = hierarchy.find(call.owner, from);
        if (owner == null) return UNKNOWN;
        boolean isTouch = call.isStatic || call.name.equals("<init>");
        if (isTouch && !isSureToBeInitialised(call.owner, from)) return UNKNOWN;
        int level = asSeenFromOutside(ofTarget(call, owner, depth), call.receiver);
        if (level == UNKNOWN || call.isStatic || call.isExact || Modifier.isFinal(owner.getModifiers())) return level;
        List<Class<?>> below = hierarchy.below(owner);
        if (below.size() > MAX_OVERRIDES) return UNKNOWN;
        for (Class<?> type : below) {
            int overridden = ofOverride(call, type, depth);
            level = Math.max(level, asSeenFromOutside(overridden, call.receiver));
            if (level == UNKNOWN) return level;
        }
        return level;
    }

    private int ofTarget(Call call, Class<?> owner, int depth) {
        Class<?> home = implementation(owner, call.key);
        if (home != null) return level(home, call.key, depth + 1);
        Class<?> ancestor = owner;
        while (ancestor != null && ancestor.getClassLoader() != null) {
            // Without its code it may be declared anywhere.
            if (ClassFile.of(ancestor) == null) return UNKNOWN;
            ancestor = ancestor.getSuperclass();
        }
        if (isDeclaredAbstract(owner, call)) return hierarchy.below(owner).isEmpty() ? UNKNOWN : NONE;
        if (ancestor == null) return UNKNOWN;
        String[] inherited = {ancestor.getName().replace('.', '/'), call.name, call.descriptor};
        return PureJdk.level(new Call(inherited, call.isStatic, call.isExact, ValueOrigin.THIS, call.arguments));
    }

    private static boolean isDeclaredAbstract(Class<?> owner, Call call) {
        if (!Modifier.isAbstract(owner.getModifiers())) return false;
        ClassFile file = ClassFile.of(owner);
        MethodCode code = file == null ? null : file.method(call.key);
        if (code != null) return Modifier.isAbstract(code.access);
        for (Class<?> ancestor : owner.getInterfaces()) if (isDeclaredAbstract(ancestor, call)) return true;
        Class<?> parent = owner.getSuperclass();
        return parent != null && parent.getClassLoader() != null && isDeclaredAbstract(parent, call);
    }

    private int ofOverride(Call call, Class<?> type, int depth) {
        ClassFile file = ClassFile.of(type);
        // Made at run time, as a lambda or proxy is.
        if (file == null) return UNKNOWN;
        MethodCode code = file.method(call.key);
        // An interface's method may be one that the class has from an ancestor which does not know the interface.
        if (code == null) return Modifier.isAbstract(type.getModifiers()) ? NONE : ofTarget(call, type, depth);
        return Modifier.isAbstract(code.access) ? NONE : level(type, call.key, depth + 1);
    }

    /** Fields of a fresh object are nobody's; those of any other object than `this` are somebody's. */
    private static int asSeenFromOutside(int level, byte receiver) {
        if (level == NONE || receiver == ValueOrigin.THIS) return level;
        return receiver == ValueOrigin.FRESH && level == FIELDS ? NONE : UNKNOWN;
    }

    /** The class whose code runs; null: abstract, of the JDK, or without bytes. */
    private static Class<?> implementation(Class<?> type, String method) {
        for (Class<?> at = type; at != null && at.getClassLoader() != null; at = at.getSuperclass()) {
            ClassFile file = ClassFile.of(at);
            if (file == null) return null;
            MethodCode code = file.method(method);
            if (code != null) return Modifier.isAbstract(code.access) ? null : at;
        }
        return defaultMethod(type, method, 0);
    }

    private static Class<?> defaultMethod(Class<?> type, String method, int depth) {
        for (Class<?> at = type; at != null && depth < MAX_DEPTH; at = at.getSuperclass()) {
            for (Class<?> ancestor : at.getInterfaces()) {
                ClassFile file = ancestor.getClassLoader() == null ? null : ClassFile.of(ancestor);
                MethodCode code = file == null ? null : file.method(method);
                if (code != null && !Modifier.isAbstract(code.access)) return ancestor;
                Class<?> further = defaultMethod(ancestor, method, depth + 1);
                if (further != null) return further;
            }
        }
        return null;
    }

    private static MethodFacts factsOf(Class<?> home, String method) {
        synchronized (FACTS) {
            if (factCount > MAX_FACTS) {
                FACTS.clear();
                factCount = 0;
            }
            Map<String, MethodFacts> known = FACTS.get(home);
            if (known == null) FACTS.put(home, known = new HashMap<String, MethodFacts>());
            MethodFacts facts = known.get(method);
            if (facts == null) {
                known.put(method, facts = read(home, method));
                factCount++;
            }
            return facts;
        }
    }

    private static MethodFacts read(Class<?> home, String method) {
        ClassFile file = ClassFile.of(home);
        MethodCode code = file == null ? null : file.method(method);
        if (code == null || Modifier.isNative(code.access)) return MethodFacts.OPAQUE;
        MethodFacts facts = Flow.of(code);
        if (Modifier.isSynchronized(code.access) && facts.level == NONE) facts.raise(OWN);
        return facts;
    }
}
