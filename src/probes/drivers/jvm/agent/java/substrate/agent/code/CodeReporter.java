package substrate.agent.code;

import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import substrate.agent.health.Discarded;
import substrate.agent.json.JsonWriter;
import substrate.agent.vm.Vm;

/** Reports the requested code: its instructions, the members they refer to, and the code that may run at each call. */
public final class CodeReporter {
    private static final int MAX_DEPTH = 24;
    private static final int MAX_OVERRIDES = 60;
    private static final int MAX_TEXT = 2000;
    private static final int MAX_CODE = 6000;
    private static final int MAX_VARIABLES = 1000;
    private static final int MAX_HANDLERS = 200;
    private static final List<Integer> NOTHING = Collections.emptyList();
    /** The call that string concatenation makes for each value. */
    private static final String[] TO_TEXT = {"java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;"};
    /** Methods that the JDK calls on its arguments. */
    private static final String[] CONTRACTS = {
        "toString()Ljava/lang/String;", "equals(Ljava/lang/Object;)Z", "hashCode()I", "compareTo(Ljava/lang/Object;)I",
    };
    /** The JDK calls these to read a collection, a map or a text that the app implements. */
    private static final Set<String> READING = new HashSet<String>(Arrays.asList(
        "iterator", "spliterator", "stream", "forEach", "size", "isEmpty", "get", "contains", "containsKey", "indexOf",
        "toArray", "listIterator", "entrySet", "keySet", "values", "hasNext", "next", "length", "charAt",
        "subSequence"));

    private final Vm vm;
    private final TypeIds ids;
    /** Ids of code, by declaring class, then by name and descriptor. */
    private final Map<Class<?>, Map<String, Integer>> codes = new WeakHashMap<Class<?>, Map<String, Integer>>();
    private final List<Code> codeList = new ArrayList<Code>();
    private final Map<String, Integer> members = new HashMap<String, Integer>();
    private final List<Member> memberList = new ArrayList<Member>();
    private final Set<Integer> sentMembers = new HashSet<Integer>();
    private final Set<Integer> sentBodies = new HashSet<Integer>();
    /** Null while there is no request: it holds classes of the app. */
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

    /** A member that code refers to: a method, a field, a class, or the result of an invokedynamic. */
    private static final class Member {
        /** Null if it is of the platform, or the class is not known. */
        final WeakReference<Class<?>> type;
        /** Internal name: `java/util/List`. */
        final String owner;
        final String name;
        final String descriptor;
        /** Null if it is no method. */
        final String key;
        final boolean isStatic;
        /** True if only the method of this class is meant: constructors, `super.x()`, private methods. */
        final boolean isExact;
        /** Ids of the app's classes among its types. */
        Collection<Integer> handled = NOTHING;
        /** The member that it runs; null if there is none. */
        Integer runs;

        Member(Class<?> type, String[] member, boolean isMethod, boolean isStatic, boolean isExact) {
            this.type = type == null ? null : new WeakReference<Class<?>>(type);
            owner = member[0];
            name = member[1];
            descriptor = member[2];
            key = isMethod ? name + descriptor : null;
            this.isStatic = isStatic;
            this.isExact = isExact;
        }
    }

    public CodeReporter(Vm vm, TypeIds ids) {
        this.vm = vm;
        this.ids = ids;
    }

    /** Classes were loaded: the code that may run has to be reported again. */
    public void outdate() {
        hierarchy = null;
        sentMembers.clear();
    }

    /** Everything has to be reported again. */
    public void forget() {
        sentMembers.clear();
        sentBodies.clear();
    }

    /** Frees the classes while there is no request. */
    public void rest() {
        hierarchy = null;
        ClassFile.forgetAll();
    }

    /**
     * The code that an object of exactly this class runs for a name and descriptor; null if there is none to analyse.
     */
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

    /** Writes `"members":[…],"bodies":[…]` of everything reported since `begin`. */
    public void end(StringBuilder out) {
        out.append("\"members\":[").append(memberOut).append("],\"bodies\":[").append(bodyOut).append(']');
    }

    public void bodyUnlessSent(int id) {
        if (!sentBodies.contains(id)) body(id);
    }

    public void body(long id) {
        if (id >= codeList.size()) return;
        sentBodies.add((int) id);
        Code code = codeList.get((int) id);
        Class<?> home = code.home.get();
        ClassFile file = home == null ? null : ClassFile.of(home);
        MethodCode method = file == null ? null : file.method(code.key);
        List<Integer> references = method == null ? null : references(method, home);
        StringBuilder out = bodyOut.append(bodyOut.length() == 0 ? "" : ",").append("{\"id\":").append(id);
        if (references == null) {
            out.append(",\"isOpaque\":true}");
            return;
        }
        for (Integer member : references) member(member);
        byte[] bytes = Arrays.copyOfRange(file.bytes, method.codeAt, method.codeAt + method.codeLength);
        out.append(",\"code\":\"").append(Base64.getEncoder().encodeToString(bytes)).append('"');
        out.append(",\"isStatic\":").append(method.isStatic());
        out.append(",\"parameters\":").append(Descriptor.argumentWords(method.descriptor));
        out.append(",\"variables\":").append(method.maxLocals).append(",\"stack\":").append(method.maxStack);
        out.append(",\"handlers\":[");
        for (int at = 0; at < method.handlers.length; at++) {
            int[] handler = method.handlers[at];
            out.append(at == 0 ? "[" : ",[").append(handler[0]).append(',').append(handler[1]).append(',');
            out.append(handler[2]).append(",true]");
        }
        out.append("],\"references\":").append(references).append(",\"type\":").append(ids.of(home));
        out.append(",\"handled\":").append(handled(home, Descriptor.parameters(method.descriptor)));
        out.append(",\"notes\":").append(notes(home, method)).append('}');
    }

    private String notes(Class<?> home, MethodCode method) {
        boolean isByAccess = method.file.makesMapsByAccess();
        for (Class<?> type : hierarchy.nestOf(home)) isByAccess |= java.util.LinkedHashMap.class.isAssignableFrom(type);
        boolean isSynchronized = Modifier.isSynchronized(method.access);
        return (isByAccess ? "[\"access-order\"" : "[") + (isByAccess && isSynchronized ? "," : "")
            + (isSynchronized ? "\"synchronized\"]" : "]");
    }

    /**
     * The members that its instructions refer to, in order; null if there are no instructions, or they cannot be
     * followed.
     */
    private List<Integer> references(MethodCode method, Class<?> home) {
        boolean isFar = method.codeLength == 0 || method.codeLength > MAX_CODE || method.maxLocals > MAX_VARIABLES
            || method.maxStack > MAX_VARIABLES || method.handlers.length > MAX_HANDLERS;
        if (isFar) return null;
        List<Integer> found = new ArrayList<Integer>();
        byte[] bytes = method.file.bytes;
        try {
            int end = method.codeAt + method.codeLength;
            for (int at = method.codeAt; at < end; at += Instructions.length(bytes, method.codeAt, at)) {
                int operation = bytes[at] & 0xff;
                // A dynamic constant is computed by whatever code it names.
                if (Instructions.isDynamicConstant(method.file.pool, bytes, at)) return null;
                if (!Instructions.refers(operation)) continue;
                Member member = referenced(method.file, operation, ConstantPool.u2(bytes, at + 1), home);
                if (member.owner.length() + member.name.length() + member.descriptor.length() > MAX_TEXT) return null;
                found.add(memberNumber(member));
            }
            return found;
        } catch (RuntimeException malformed) {
            Discarded.count("CodeReporter.references", malformed);
            return null;
        }
    }

    private Member referenced(ClassFile file, int operation, int index, Class<?> home) {
        if (operation == Instructions.INVOKEDYNAMIC) return dynamic(file, index, home);
        if (operation == Instructions.CHECKCAST) {
            String[] type = {file.pool.nameAt(index), "", ""};
            Member member = new Member(null, type, false, false, false);
            member.handled = handled(home, "L" + type[0] + ";");
            return member;
        }
        String[] named = file.pool.member(index);
        boolean isMethod = operation >= Instructions.INVOKEVIRTUAL;
        boolean isStatic = operation == Instructions.INVOKESTATIC || operation <= Instructions.PUTSTATIC;
        Member member = new Member(find(named[0], home), named, isMethod, isStatic,
            operation == Instructions.INVOKESPECIAL);
        boolean isMade = named[1].equals("<init>");
        String brought = named[2].substring(named[2].indexOf(')') + 1);
        member.handled = isMade ? handled(home, "L" + named[0] + ";") : handled(home, brought);
        return member;
    }

    /** The owner of the result is the bootstrap method's class. */
    private Member dynamic(ClassFile file, int index, Class<?> home) {
        int bootstrap = file.pool.bootstrapOf(index);
        String[] factory = file.bootstrapMethod(bootstrap);
        String descriptor = file.pool.dynamic(index)[1];
        String[] made = {factory[0], String.valueOf(bootstrap), descriptor};
        Member member = new Member(home, made, false, true, false);
        member.handled = handled(home, Descriptor.parameters(descriptor));
        String[] runs = factory[0].equals("java/lang/invoke/StringConcatFactory") ? TO_TEXT : null;
        int kind = ConstantPool.INVOKE_STATIC;
        if (factory[0].equals("java/lang/invoke/LambdaMetafactory")) {
            int handle = file.bootstrapArgument(bootstrap, 1);
            kind = file.pool.handleKind(handle);
            runs = file.pool.member(file.pool.handle(handle));
        }
        if (runs == null) return member;
        boolean isExact = kind == ConstantPool.INVOKE_SPECIAL || kind == ConstantPool.NEW_INVOKE_SPECIAL;
        boolean isStatic = kind == ConstantPool.INVOKE_STATIC;
        member.runs = memberNumber(new Member(find(runs[0], home), runs, true, isStatic, isExact));
        return member;
    }

    /** Ids of the app's classes among the types. */
    private Collection<Integer> handled(Class<?> home, String... types) {
        Set<Integer> found = new LinkedHashSet<Integer>();
        for (String each : types) {
            Class<?> type = each.startsWith("L") ? find(each.substring(1, each.length() - 1), home) : null;
            // Enums and classes that are not loaded have no code to call.
            if (type != null && !type.isEnum()) found.add(ids.of(type));
        }
        return found;
    }

    /** Null if it is of the platform, or not loaded. */
    private Class<?> find(String owner, Class<?> home) {
        return isOfPlatform(owner) ? null : hierarchy.find(owner, home);
    }

    /** The effect of a platform method is known by its name, in src/probes/drivers/jvm/java-platform.ts. */
    private static boolean isOfPlatform(String owner) {
        return owner.startsWith("java/") || owner.startsWith("javax/") || owner.startsWith("[")
            || owner.startsWith("kotlin/jvm/internal/");
    }

    private int memberNumber(Member member) {
        Class<?> type = member.type == null ? null : member.type.get();
        String kind = (member.isStatic ? "static " : member.isExact ? "exact " : "") + (member.key == null ? "" : "method ");
        String key = kind + (type == null ? member.owner : ids.of(type) + " " + member.owner) + ' ' + member.name
            + ' ' + member.descriptor;
        Integer id = members.get(key);
        if (id == null) {
            members.put(key, id = memberList.size());
            memberList.add(member);
        }
        return id;
    }

    /** Reports the code that may run, unless it was reported before. */
    public void member(long id) {
        if (id >= memberList.size() || !sentMembers.add((int) id)) return;
        Member member = memberList.get((int) id);
        Set<Integer> targets = new LinkedHashSet<Integer>();
        Set<Integer> inherited = new LinkedHashSet<Integer>();
        boolean isOfPlatform = isOfPlatform(member.owner);
        Class<?> type = member.type == null ? null : member.type.get();
        boolean isKnown = isOfPlatform || type != null
            && (member.key == null ? !member.isStatic || vm.isInitialised(type) : addTargets(type, member, targets, inherited));
        for (Integer each : inherited) member(each);
        if (member.runs != null) member(member.runs);
        StringBuilder out = memberOut.append(memberOut.length() == 0 ? "" : ",");
        JsonWriter.string(out.append("{\"id\":").append(id).append(",\"owner\":"), member.owner);
        JsonWriter.string(out.append(",\"name\":"), member.name);
        JsonWriter.string(out.append(",\"descriptor\":"), member.descriptor);
        out.append(member.isStatic ? ",\"isStatic\":true" : "");
        out.append(isOfPlatform && member.key != null ? ",\"isPlatform\":true" : "");
        if (type != null) out.append(",\"type\":").append(ids.of(type));
        if (!member.handled.isEmpty()) out.append(",\"handled\":").append(member.handled);
        if (member.runs != null) out.append(",\"runs\":").append(member.runs);
        if (!isKnown || !targets.isEmpty()) out.append(",\"targets\":").append(isKnown ? targets.toString() : "null");
        out.append(inherited.isEmpty() ? "}" : ",\"inherited\":" + inherited + "}");
    }

    /** False if the targets cannot be determined. */
    private boolean addTargets(Class<?> owner, Member call, Set<Integer> targets, Set<Integer> inherited) {
        boolean isTouch = call.isStatic || call.name.equals("<init>");
        // The first touch of a class runs its initialiser, which may do anything.
        if (isTouch && !vm.isInitialised(owner) || !addTarget(owner, call, targets, inherited)) return false;
        if (call.isStatic || call.isExact || Modifier.isFinal(owner.getModifiers())) return true;
        List<Class<?>> below = hierarchy.below(owner);
        if (below.size() > MAX_OVERRIDES) return false;
        for (Class<?> type : below) if (!addOverride(type, call, targets, inherited)) return false;
        return true;
    }

    private boolean addTarget(Class<?> owner, Member call, Set<Integer> targets, Set<Integer> inherited) {
        String key = call.key;
        Class<?> home = implementation(owner, key);
        if (home != null) return targets.add(number(home, key)) || true;
        Class<?> ancestor = owner;
        while (ancestor != null && ancestor.getClassLoader() != null) {
            // Without the ancestor's class file the method may be declared there.
            if (ClassFile.of(ancestor) == null) return false;
            ancestor = ancestor.getSuperclass();
        }
        if (isDeclaredAbstract(owner, key)) return !hierarchy.below(owner).isEmpty();
        if (ancestor == null) return false;
        String[] member = {ancestor.getName().replace('.', '/'), call.name, call.descriptor};
        inherited.add(memberNumber(new Member(null, member, true, call.isStatic, call.isExact)));
        return true;
    }

    private boolean addOverride(Class<?> type, Member call, Set<Integer> targets, Set<Integer> inherited) {
        ClassFile file = ClassFile.of(type);
        // The class was made at run time, as a lambda or proxy is.
        if (file == null) return false;
        String key = call.key;
        MethodCode code = file.method(key);
        // An interface's method may be one that the class inherits from an ancestor which does not implement the
        // interface.
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

    /** Reports the methods that the JDK may call on objects of the class or its subclasses. */
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
        // The method is not declared, or declared by the JDK; a lambda, which has no file, has it from Object.
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

    /** The class whose code runs; null if the method is abstract, of the JDK, or without bytes. */
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
}
