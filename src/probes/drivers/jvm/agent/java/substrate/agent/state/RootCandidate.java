package substrate.agent.state;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * A place where state was found to begin, with what the daemon needs to know to name it: see root-facts.ts. Holds the
 * object weakly; or a class, for its static fields.
 */
public final class RootCandidate {
    private static int lastId;
    /** Ids of those that are made anew for each capture. */
    private static final Map<String, String> FIXED = new HashMap<String, String>();

    /** The first segment of paths below it. */
    public final String id;
    public final String kind;
    /** The name of a class; null: it plays no role. */
    public final String type;
    /** Of a variable or a bean; null: not known. */
    public final String name;
    public final String where;
    /** Static fields of the class that is the target. */
    final boolean isStatic;
    private final WeakReference<Object> target;
    /** Made by this agent for this capture: nothing else keeps it. */
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

    /** Comes with its name, for one capture: it keeps the value, which is made for it. */
    public static synchronized RootCandidate made(String name, String where, Object value) {
        return new RootCandidate(idOf(name), "fixed", null, name, where, value, false, true);
    }

    /** As `made`, for the variables of a namespace or a script: `name` is null where they have none of their own. */
    static synchronized RootCandidate variables(String type, String name, int number, String where, Object value) {
        String id = idOf("variables " + type + ' ' + name + ' ' + number);
        return new RootCandidate(id, "variables", type, name, where, value, false, true);
    }

    private static String idOf(String key) {
        String id = FIXED.get(key);
        if (id == null) FIXED.put(key, id = nextId());
        return id;
    }

    /** A value that stands for itself: the paths below it begin with nothing. */
    static RootCandidate alone(Object value) {
        return new RootCandidate("", "fixed", null, null, null, value, false, true);
    }

    private static synchronized String nextId() {
        return String.valueOf(++lastId);
    }

    /** null: it is gone. */
    Object target() {
        return target == null ? made : target.get();
    }

    /** Of a class without a name of its own that of the class above it. */
    static String nameOf(Class<?> type) {
        Class<?> at = type;
        while (!hasName(at) && at.getSuperclass() != null) at = at.getSuperclass();
        return at.getName();
    }

    /** Read from the name as it is: getSimpleName fails on those of some compilers. */
    static boolean hasName(Class<?> type) {
        String name = type.getName();
        int end = name.length();
        while (end > 0 && name.charAt(end - 1) == '$') end--;
        int start = Math.max(name.lastIndexOf('.', end - 1), name.lastIndexOf('$', end - 1)) + 1;
        return start < end && !Character.isDigit(name.charAt(start));
    }
}
