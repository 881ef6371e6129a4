package substrate.agent.code;

import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import substrate.agent.json.JsonWriter;
import substrate.agent.vm.Vm;

/** Tells of the code that it is asked for: what it writes and calls, and which code may run where it calls. */
public final class CodeReporter {
    private static final int MAX_DEPTH = 24;
    private static final int MAX_OVERRIDES = 60;
    private static final int MAX_TEXT = 2000;
    /** Methods that the JDK calls on what it is given. */
    private static final String[] CONTRACTS = {
        "toString()Ljava/lang/String;", "equals(Ljava/lang/Object;)Z", "hashCode()I", "compareTo(Ljava/lang/Object;)I",
    };
    /** By these the JDK goes through a collection, a map or a text of the app's own make. */
    private static final Set<String> READING = new HashSet<String>(Arrays.asList(
        "iterator", "spliterator", "stream", "forEach", "size", "isEmpty", "get", "contains", "containsKey", "indexOf",
        "toArray", "listIterator", "entrySet", "keySet", "values", "hasNext", "next", "length", "charAt",
        "subSequence"));

    private final Vm vm;
    private final TypeIds ids;
    /** Numbers of code, by the class that declares it, by name and descriptor. */
    private final Map<Class<?>, Map<String, Integer>> codes = new WeakHashMap<Class<?>, Map<String, Integer>>();
    private final List<Code> codeList = new ArrayList<Code>();
    private final Map<String, Integer> members = new HashMap<String, Integer>();
    private final List<Member> memberList = new ArrayList<Member>();
    private final Set<Integer> toldMembers = new HashSet<Integer>();
    private final Set<Integer> toldBodies = new HashSet<Integer>();
    /** Null while nobody asks: it holds classes of the app. */
    private Hierarchy hierarchy;
    private final StringBuilder memberOut = new StringBuilder();
    private final StringBuilder bodyOut = new StringBuilder();

    private static final class Code {
        final WeakReference<Class<?>> home;
        final String key;

        Code(Class<?> home, String key) {
            this.home = new WeakReference<Class<?>>(home);
            this.key = key;
        }
    }

    /** What code calls: a method of the platform, or of a class. */
    private static final class Member {
        /** Null: of the platform, or the class is not known. */
        final WeakReference<Class<?>> type;
        final Call call;

        Member(Class<?> type, Call call) {
            this.type = type == null ? null : new WeakReference<Class<?>>(type);
            this.call = call;
        }
    }

    public CodeReporter(Vm vm, TypeIds ids) {
        this.vm = vm;
        this.ids = ids;
    }

    /** Classes were loaded: what may run has to be told anew. */
    public void outdate() {
        hierarchy = null;
        toldMembers.clear();
    }

    /** All is to be told anew. */
    public void forget() {
        toldMembers.clear();
        toldBodies.clear();
    }

    /** Nobody asks. */
    public void rest() {
        hierarchy = null;
        ClassFile.forgetAll();
    }

    /** The code that an object of just this class runs for a name and descriptor; null: there is none to be looked at. */
    public Integer codeOf(Class<?> type, String key) {
        Class<?> home = implementation(type, key);
        return home == null ? null : number(home, key);
    }

    private int number(Class<?> home, String key) {
        Map<String, Integer> known = codes.get(home);
        if (known == null) codes.put(home, known = new HashMap<String, Integer>());
        Integer id = known.get(key);
        if (id == null) {
            known.put(key, id = codeList.size());
            codeList.add(new Code(home, key));
        }
        return id;
    }

    public void begin() {
        if (hierarchy == null) hierarchy = new Hierarchy(vm.loadedClasses());
        memberOut.setLength(0);
        bodyOut.setLength(0);
    }

    /** `"members":[…],"bodies":[…]` of what was told since `begin`. */
    public void end(StringBuilder out) {
        out.append("\"members\":[").append(memberOut).append("],\"bodies\":[").append(bodyOut).append(']');
    }

    public void bodyUnlessTold(int id) {
        if (!toldBodies.contains(id)) body(id);
    }

    public void body(long id) {
        if (id >= codeList.size()) return;
        toldBodies.add((int) id);
        Code code = codeList.get((int) id);
        Class<?> home = code.home.get();
        CodeFacts facts = home == null ? CodeFacts.OPAQUE : factsOf(home, code.key);
        for (String owner : facts.staticsOf) if (!isSureToBeInitialised(owner, home)) facts = CodeFacts.OPAQUE;
        for (Call call : facts.calls) if (call.owner.length() + call.name.length() + call.descriptor.length() > MAX_TEXT) {
            facts = CodeFacts.OPAQUE;
        }
        StringBuilder calls = new StringBuilder();
        for (Call call : facts.calls) call(calls, call, home);
        StringBuilder out = bodyOut.append(bodyOut.length() == 0 ? "" : ",");
        out.append("{\"id\":").append(id).append(facts.isOpaque ? ",\"isOpaque\":true" : "");
        if (!facts.writes.isEmpty()) out.append(",\"writes\":").append(facts.writes);
        if (!facts.reads.isEmpty()) JsonWriter.value(out.append(",\"reads\":"), new ArrayList<String>(facts.reads));
        if (calls.length() > 0) out.append(",\"calls\":[").append(calls).append(']');
        Set<Integer> handled = new LinkedHashSet<Integer>();
        for (String name : facts.handled) {
            Class<?> type = hierarchy.find(name, home);
            // Nothing of an enum or of what is not loaded is there to be called.
            if (type != null && !type.isEnum()) handled.add(ids.of(type));
        }
        if (!handled.isEmpty()) out.append(",\"handled\":").append(handled);
        out.append(",\"notes\":").append(notes(home, code.key)).append('}');
    }

    private String notes(Class<?> home, String key) {
        ClassFile file = home == null ? null : ClassFile.of(home);
        MethodCode code = file == null ? null : file.method(key);
        if (code == null) return "[]";
        boolean isByAccess = file.makesMapsByAccess();
        for (Class<?> type : hierarchy.nestOf(home)) isByAccess |= java.util.LinkedHashMap.class.isAssignableFrom(type);
        boolean isSynchronized = Modifier.isSynchronized(code.access);
        return (isByAccess ? "[\"access-order\"" : "[") + (isByAccess && isSynchronized ? "," : "")
            + (isSynchronized ? "\"synchronized\"]" : "]");
    }

    private void call(StringBuilder out, Call call, Class<?> home) {
        boolean isOfPlatform = Call.isOfPlatform(call.owner);
        int id = memberNumber(isOfPlatform ? null : hierarchy.find(call.owner, home), call);
        member(id);
        boolean isTold = call.result >= 0 && call.result < ValueOrigin.MAX_CALLS;
        out.append(out.length() == 0 ? "" : ",").append("{\"member\":").append(id);
        if (isTold) out.append(",\"result\":").append(call.result);
        out.append(",\"receiver\":").append(call.receiver);
        out.append(",\"arguments\":").append(Arrays.toString(call.arguments)).append('}');
    }

    private int memberNumber(Class<?> type, Call call) {
        String kind = call.isStatic ? "static " : call.isExact ? "exact " : "";
        String owner = type == null ? call.owner : String.valueOf(ids.of(type));
        String key = kind + owner + ' ' + call.name + call.descriptor;
        Integer id = members.get(key);
        if (id == null) {
            members.put(key, id = memberList.size());
            memberList.add(new Member(type, call));
        }
        return id;
    }

    /** Which code may run: unless it is told. */
    public void member(long id) {
        if (id >= memberList.size() || !toldMembers.add((int) id)) return;
        Member member = memberList.get((int) id);
        Call call = member.call;
        Set<Integer> targets = new LinkedHashSet<Integer>();
        Set<Integer> inherited = new LinkedHashSet<Integer>();
        boolean isOfPlatform = Call.isOfPlatform(call.owner);
        Class<?> owner = member.type == null ? null : member.type.get();
        boolean isKnown = isOfPlatform || owner != null && addTargets(owner, call, targets, inherited);
        for (Integer each : inherited) member(each);
        StringBuilder out = memberOut.append(memberOut.length() == 0 ? "" : ",");
        JsonWriter.string(out.append("{\"id\":").append(id).append(",\"owner\":"), call.owner);
        JsonWriter.string(out.append(",\"name\":"), call.name);
        JsonWriter.string(out.append(",\"descriptor\":"), call.descriptor);
        out.append(",\"isStatic\":").append(call.isStatic).append(",\"isPlatform\":").append(isOfPlatform);
        out.append(",\"targets\":").append(isKnown ? targets.toString() : "null");
        out.append(inherited.isEmpty() ? "}" : ",\"inherited\":" + inherited + "}");
    }

    /** False: that cannot be told. */
    private boolean addTargets(Class<?> owner, Call call, Set<Integer> targets, Set<Integer> inherited) {
        boolean isTouch = call.isStatic || call.name.equals("<init>");
        // The first touch of a class runs its initialiser, which may do anything.
        if (isTouch && !vm.isInitialised(owner) || !addTarget(owner, call, targets, inherited)) return false;
        if (call.isStatic || call.isExact || Modifier.isFinal(owner.getModifiers())) return true;
        List<Class<?>> below = hierarchy.below(owner);
        if (below.size() > MAX_OVERRIDES) return false;
        for (Class<?> type : below) if (!addOverride(type, call, targets, inherited)) return false;
        return true;
    }

    private boolean addTarget(Class<?> owner, Call call, Set<Integer> targets, Set<Integer> inherited) {
        String key = call.name + call.descriptor;
        Class<?> home = implementation(owner, key);
        if (home != null) return targets.add(number(home, key)) || true;
        Class<?> ancestor = owner;
        while (ancestor != null && ancestor.getClassLoader() != null) {
            // Without its code it may be declared anywhere.
            if (ClassFile.of(ancestor) == null) return false;
            ancestor = ancestor.getSuperclass();
        }
        if (isDeclaredAbstract(owner, key)) return !hierarchy.below(owner).isEmpty();
        if (ancestor == null) return false;
        String[] member = {ancestor.getName().replace('.', '/'), call.name, call.descriptor};
        inherited.add(memberNumber(null,
            new Call(member, call.isStatic, call.isExact, ValueOrigin.THIS, call.arguments, -1)));
        return true;
    }

    private boolean addOverride(Class<?> type, Call call, Set<Integer> targets, Set<Integer> inherited) {
        ClassFile file = ClassFile.of(type);
        // Made at run time, as a lambda or proxy is.
        if (file == null) return false;
        String key = call.name + call.descriptor;
        MethodCode code = file.method(key);
        // An interface's method may be one that the class has from an ancestor which does not know the interface.
        if (code == null) return Modifier.isAbstract(type.getModifiers()) || addTarget(type, call, targets, inherited);
        if (!Modifier.isAbstract(code.access)) targets.add(number(type, key));
        return true;
    }

    private static boolean isDeclaredAbstract(Class<?> owner, String key) {
        if (!Modifier.isAbstract(owner.getModifiers())) return false;
        ClassFile file = ClassFile.of(owner);
        MethodCode code = file == null ? null : file.method(key);
        if (code != null) return Modifier.isAbstract(code.access);
        for (Class<?> ancestor : owner.getInterfaces()) if (isDeclaredAbstract(ancestor, key)) return true;
        Class<?> parent = owner.getSuperclass();
        return parent != null && parent.getClassLoader() != null && isDeclaredAbstract(parent, key);
    }

    private boolean isSureToBeInitialised(String owner, Class<?> from) {
        if (Call.isOfPlatform(owner)) return true;
        Class<?> type = hierarchy.find(owner, from);
        return type != null && (type == from || vm.isInitialised(type));
    }

    /** What the JDK may call on objects of the class or of those below it. */
    public void contracts(StringBuilder out, long id) {
        Class<?> type = ids.type(id);
        out.append(out.length() == 0 ? "" : ",").append("{\"type\":").append(id).append(",\"methods\":[");
        List<Class<?>> all = new ArrayList<Class<?>>();
        if (type != null) all.add(type);
        if (type != null) all.addAll(hierarchy.below(type));
        boolean isTooMuch = all.size() > MAX_OVERRIDES;
        for (String contract : CONTRACTS) {
            Set<Integer> found = new LinkedHashSet<Integer>();
            boolean isKnown = !isTooMuch;
            for (int at = 0; at < all.size() && isKnown; at++) isKnown = addContract(found, all.get(at), contract);
            out.append("[\"").append(contract, 0, contract.indexOf('(')).append("\",");
            out.append(isKnown ? found.toString() : "null").append("],");
        }
        Set<Integer> reading = new LinkedHashSet<Integer>();
        boolean isKnown = true;
        if (type != null && isCollection(type)) {
            isKnown = !isTooMuch;
            for (int at = 0; at < all.size() && isKnown; at++) isKnown = addReading(reading, all.get(at));
        }
        out.append("[\"reading\",").append(isKnown ? reading.toString() : "null").append("]]}");
    }

    private boolean addContract(Set<Integer> found, Class<?> type, String contract) {
        Class<?> home = implementation(type, contract);
        // Not declared, or by the JDK; a lambda, which has no file, has these from Object.
        if (home == null) return type.isSynthetic() || ClassFile.of(type) != null;
        found.add(number(home, contract));
        return true;
    }

    private boolean addReading(Set<Integer> found, Class<?> type) {
        ClassFile file = ClassFile.of(type);
        if (file == null) return false;
        for (String key : file.methodKeys())
            if (READING.contains(key.substring(0, key.indexOf('(')))) found.add(number(type, key));
        return true;
    }

    private static boolean isCollection(Class<?> type) {
        return Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
            || Iterator.class.isAssignableFrom(type) || CharSequence.class.isAssignableFrom(type);
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

    private static CodeFacts factsOf(Class<?> home, String method) {
        ClassFile file = ClassFile.of(home);
        MethodCode code = file == null ? null : file.method(method);
        return code == null || Modifier.isNative(code.access) ? CodeFacts.OPAQUE : Flow.of(code);
    }
}
