package substrate.agent.screen;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import substrate.agent.health.Discarded;
import substrate.agent.health.Parts;
import substrate.agent.read.Slot;
import substrate.agent.vm.Vm;

/**
 * Reads fields of JDK classes, such as `javax.swing.JLabel.text`, without calling anything. The class is found by its
 * name among the ancestors of the object, so nothing is ever loaded. A field that this JDK does not have is null, 0 or
 * false.
 */
public final class Fields {
    private static final Set<String> PACKAGES = new HashSet<String>(Arrays.asList(
        "java.awt", "javax.swing", "javax.swing.border", "javax.swing.event", "javax.swing.plaf.basic",
        "javax.swing.text", "javax.swing.tree", "javax.accessibility", "sun.awt", "sun.awt.util", "sun.awt.X11"));
    private static final Map<String, Field> FOUND = new ConcurrentHashMap<String, Field>();
    private static final Set<String> MISSING = ConcurrentHashMap.newKeySet();
    private static volatile Vm vm;

    private Fields() {}

    /** Must be called before the first read. */
    public static void use(Vm newVm) {
        vm = newVm;
    }

    /** Opens packages of loaded classes in advance: it takes milliseconds that the event thread should not lose. */
    public static void openPackages() {
        Set<String> left = new HashSet<String>(PACKAGES);
        for (Class<?> type : vm.loadedClasses()) {
            if (type.getClassLoader() != null || type.isArray() || left.isEmpty()) continue;
            String name = type.getName();
            if (left.remove(name.substring(0, Math.max(0, name.lastIndexOf('.'))))) vm.open(type);
        }
    }

    public static void open(Class<?> type) {
        vm.open(type);
    }

    public static Object of(Object target, String name) {
        Field field = find(target, name);
        try {
            return field == null ? null : field.get(target);
        } catch (IllegalAccessException e) {
            Discarded.count("Fields.of", e);
            return null;
        }
    }

    /** A field of a class of the app; null if there is none. */
    public static Object ofApp(Object target, String name) {
        Slot slot = Slot.find(vm, target.getClass(), name);
        return slot == null ? null : slot.get(target);
    }

    public static String text(Object target, String name) {
        Object value = of(target, name);
        return value instanceof String ? (String) value : null;
    }

    public static int number(Object target, String name) {
        Object value = of(target, name);
        return value instanceof Integer ? (Integer) value : 0;
    }

    public static boolean flag(Object target, String name) {
        return Boolean.TRUE.equals(of(target, name));
    }

    /** The class must be initialised. */
    public static Object ofStatic(Class<?> type, String name) {
        Field field = FOUND.get(name);
        if (field == null && !MISSING.contains(name)) field = resolve(type, name);
        try {
            return field == null ? null : field.get(null);
        } catch (IllegalAccessException e) {
            Discarded.count("Fields.ofStatic", e);
            return null;
        }
    }

    private static Field find(Object target, String name) {
        if (target == null) return null;
        Field known = FOUND.get(name);
        if (known != null) return known.getDeclaringClass().isInstance(target) ? known : null;
        if (MISSING.contains(name)) return null;
        int dot = name.lastIndexOf('.');
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass())
            if (name.startsWith(type.getName()) && type.getName().length() == dot) return resolve(type, name);
        return null;
    }

    private static Field resolve(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name.substring(name.lastIndexOf('.') + 1));
            vm.open(type);
            field.setAccessible(true);
            FOUND.put(name, field);
            return field;
        } catch (Throwable e) {
            Discarded.count("Fields.resolve", e);
            Parts.miss("swing", Parts.nameOf(e) + " at field " + name + ": controls are not read, or only in part");
            MISSING.add(name);
            return null;
        }
    }
}
