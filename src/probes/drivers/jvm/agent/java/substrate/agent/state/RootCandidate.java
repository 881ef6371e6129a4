package substrate.agent.state;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * A possible root, with the facts from which the daemon names it: see root-facts.ts. Holds the object weakly; or a
 * class, for its static fields.
 */
public final class RootCandidate {
    private static int lastId;
    /** Ids of the roots that are made again for each capture. */
    private static final Map<String, String> FIXED = new HashMap<String, String>();

    /** The first segment of paths below it. */
    public final String id;
    public final String kind;
    /** The name of a class; null if it does not matter. */
    public final String type;
    /** The name of a variable or a bean; null if not known. */
    public final String name;
    public final String where;
    /** True for the static fields of the class that is the target. */
    final boolean isStatic;
    private final WeakReference<Object> target;
    /** Made by this agent for this capture: no other reference keeps it alive. */
    private final Object made;

    private RootCandidate(String id, String kind, String type, String name, String where, Object target,
        boolean isStatic, boolean isMade) {
        this.id = id;
        this.isStatic = isStatic;
        this.kind = kind;
        this.type = type;
        this.name = name;
        this.where = where;
        this.target = isMade ? null : new WeakReference<Object>(target);
        this.made = isMade ? target : null;
    }

    static RootCandidate object(String kind, String type, String name, String where, Object target) {
        return new RootCandidate(nextId(), kind, type, name, where, target, false, false);
    }

    static RootCandidate statics(Class<?> type, boolean holdsState) {
        String kind = holdsState ? "statics" : "constants";
        return new RootCandidate(nextId(), kind, type.getName(), null, null, type, true, false);
    }

    /** A root with a given name, for one capture: it holds its value strongly, because the value was made for it. */
    public static synchronized RootCandidate made(String name, String where, Object value) {
        return new RootCandidate(idOf(name), "fixed", null, name, where, value, false, true);
    }

    /** Like `made`, for the variables of a namespace or a script: `name` is null where they have no own name. */
    static synchronized RootCandidate variables(String type, String name, int number, String where, Object value) {
        String id = idOf("variables " + type + ' ' + name + ' ' + number);
        return new RootCandidate(id, "variables", type, name, where, value, false, true);
    }

    private static String idOf(String key) {
        String id = FIXED.get(key);
        if (id == null) FIXED.put(key, id = nextId());
        return id;
    }

    /** A value outside of all roots: its paths have no first segment. */
    static RootCandidate alone(Object value) {
        return new RootCandidate("", "fixed", null, null, null, value, false, true);
    }

    private static synchronized String nextId() {
        return String.valueOf(++lastId);
    }

    /** Null if the object is gone. */
    Object target() {
        return target == null ? made : target.get();
    }

    /** The name of its class; a class without a name has that of its superclass. */
    static String nameOf(Class<?> type) {
        Class<?> at = type;
        while (!hasName(at) && at.getSuperclass() != null) at = at.getSuperclass();
        return at.getName();
    }

    /** Read from the binary name: getSimpleName fails on names of some compilers. */
    static boolean hasName(Class<?> type) {
        String name = type.getName();
        int end = name.length();
        while (end > 0 && name.charAt(end - 1) == '$') end--;
        int start = Math.max(name.lastIndexOf('.', end - 1), name.lastIndexOf('$', end - 1)) + 1;
        return start < end && !Character.isDigit(name.charAt(start));
    }
}
