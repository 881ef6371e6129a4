package substrate.agent.swing;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.vm.Vm;

/**
 * A field of a class of the JDK, read without calling anything. The class is found by its name among those of the
 * object, so nothing is ever loaded; a version of the JDK that has no such field reads as null, 0 and false.
 */
final class FieldRef {
    private static volatile Vm vm;
    private static final List<FieldRef> ALL = new ArrayList<FieldRef>();

    private final String declaring;
    private final String name;
    private volatile Field field;
    private volatile boolean isMissing;

    FieldRef(String declaring, String name) {
        this.declaring = declaring;
        this.name = name;
        synchronized (ALL) {
            ALL.add(this);
        }
    }

    /** To open a package takes milliseconds that the event thread should not lose: done before, for what is loaded. */
    static void resolveAll() {
        Map<String, Class<?>> loaded = new HashMap<String, Class<?>>();
        for (Class<?> type : vm.loadedClasses()) if (type.getClassLoader() == null) loaded.put(type.getName(), type);
        synchronized (ALL) {
            for (FieldRef ref : ALL) {
                Class<?> type = loaded.get(ref.declaring);
                if (type != null && ref.field == null) ref.resolve(type);
            }
        }
    }

    /** Before anything is read. */
    static void use(Vm newVm) {
        vm = newVm;
    }

    static void open(Class<?> type) {
        vm.open(type);
    }

    Object of(Object target) {
        Field found = find(target);
        try {
            return found == null ? null : found.get(target);
        } catch (IllegalAccessException e) {
            return null;
        }
    }

    String text(Object target) {
        Object value = of(target);
        return value instanceof String ? (String) value : null;
    }

    int number(Object target) {
        Field found = find(target);
        try {
            return found == null ? 0 : found.getInt(target);
        } catch (IllegalAccessException e) {
            return 0;
        }
    }

    boolean flag(Object target) {
        Field found = find(target);
        try {
            return found != null && found.getBoolean(target);
        } catch (IllegalAccessException e) {
            return false;
        }
    }

    /** Of a class that is initialised. */
    Object ofStatic(Class<?> type) {
        Field found = field == null && !isMissing ? resolve(type) : field;
        try {
            return found == null ? null : found.get(null);
        } catch (IllegalAccessException e) {
            return null;
        }
    }

    private Field find(Object target) {
        if (target == null || isMissing) return null;
        Field known = field;
        if (known != null) return known.getDeclaringClass().isInstance(target) ? known : null;
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(declaring)) return resolve(type);
        }
        return null;
    }

    private Field resolve(Class<?> type) {
        try {
            Field found = type.getDeclaredField(name);
            vm.open(type);
            found.setAccessible(true);
            field = found;
            return found;
        } catch (Throwable e) {
            isMissing = true;
            return null;
        }
    }
}
