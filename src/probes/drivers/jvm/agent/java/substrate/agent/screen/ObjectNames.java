package substrate.agent.screen;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.regex.Pattern;

/**
 * Names for objects of an app whose text is the default one, `Order@1b2c`. Taken from their fields, as their methods
 * are the app's.
 */
public final class ObjectNames {
    /** By its name, so that the class is not loaded into a program without it. */
    private static final String NODE = "javax.swing.tree.DefaultMutableTreeNode";
    private static final String[] FIELDS = {"displayName", "title", "label", "caption", "name", "text"};
    private static final Pattern DEFAULT = Pattern.compile("(?:(?:\\w+\\.)+[A-Z][\\w$]*|[A-Z]\\w*\\$[\\w$]+)@[0-9a-f]{1,8}");
    private static final Map<Class<?>, Boolean> INHERITS_TEXT = new WeakHashMap<Class<?>, Boolean>();

    private ObjectNames() {}

    /** True if neither its class nor, for a tree node, that of its user object has a toString of its own. */
    public static boolean saysNothing(Object value) {
        if (value == null || value instanceof String || value instanceof Number || value instanceof Boolean)
            return false;
        if (!inheritsText(value.getClass())) return false;
        // A node without a user object has an empty text.
        return !Types.isA(value, NODE) || inNode(value) != value && saysNothing(inNode(value));
    }

    /** `com.example.Order@1b2c`, of the value or of an object that the value asks for its text. */
    public static boolean isDefault(Object text, Object value) {
        if (!(text instanceof String) || value == null) return false;
        return ((String) text).startsWith(inNode(value).getClass().getName() + '@')
            || DEFAULT.matcher((String) text).matches();
    }

    /** The value of a naming field; otherwise the class. */
    public static String of(Object value) {
        Object named = inNode(value);
        if (named == null) return null;
        for (String field : FIELDS) {
            Object name = Fields.ofApp(named, field);
            if (name instanceof String && !((String) name).trim().isEmpty()) return Text.plain((String) name);
        }
        return className(named.getClass());
    }

    private static Object inNode(Object value) {
        if (!Types.isA(value, NODE)) return value;
        Object held = Fields.of(value, "javax.swing.tree.DefaultMutableTreeNode.userObject");
        return held == null ? value : held;
    }

    /** True if toString is from Object or, for a node that asks its user object, from Swing's node. */
    private static boolean inheritsText(Class<?> type) {
        synchronized (INHERITS_TEXT) {
            Boolean known = INHERITS_TEXT.get(type);
            if (known == null) {
                try {
                    Class<?> declares = type.getMethod("toString").getDeclaringClass();
                    known = declares == Object.class || declares.getName().equals(NODE);
                } catch (NoSuchMethodException e) {
                    known = Boolean.FALSE;
                }
                INHERITS_TEXT.put(type, known);
            }
            return known;
        }
    }

    /** The name without package and outer classes; a class without a name has that of its superclass. */
    private static String className(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            String name = at.getName();
            String last = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
            if (!last.isEmpty() && !Character.isDigit(last.charAt(0))) return last;
        }
        return null;
    }
}
