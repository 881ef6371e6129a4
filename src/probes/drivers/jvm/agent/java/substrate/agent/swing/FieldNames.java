package substrate.agent.swing;

import java.awt.Component;
import java.lang.ref.SoftReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import substrate.agent.health.Discarded;
import substrate.agent.vm.Vm;

/** The field names that windows and panels of the app use for their components. */
final class FieldNames {
    private static final int MAX_FIELDS = 500;
    private final Vm vm;
    private final Map<Class<?>, SoftReference<Field[]>> known = new WeakHashMap<Class<?>, SoftReference<Field[]>>();

    FieldNames(Vm vm) {
        this.vm = vm;
    }

    /** Adds the names from the fields of this holder. */
    synchronized void collect(Object holder, IdentityHashMap<Object, String> names) {
        for (Class<?> type = holder.getClass(); type != null && !isOfJdk(type); type = type.getSuperclass()) {
            for (Field field : componentFields(type)) {
                try {
                    Object component = field.get(holder);
                    if (component != null && !names.containsKey(component)) names.put(component, field.getName());
                } catch (IllegalAccessException e) {
                    // The component stays without a name.
                    Discarded.count("FieldNames.collect", e);
                }
            }
        }
    }

    private static boolean isOfJdk(Class<?> type) {
        return type.getName().startsWith("javax.swing.") || type.getName().startsWith("java.awt.");
    }

    private Field[] componentFields(Class<?> type) {
        SoftReference<Field[]> reference = known.get(type);
        Field[] fields = reference == null ? null : reference.get();
        if (fields != null) return fields;
        List<Field> found = new ArrayList<Field>();
        try {
            for (Field field : type.getDeclaredFields()) {
                boolean isOne = Component.class.isAssignableFrom(field.getType());
                if (!isOne || Modifier.isStatic(field.getModifiers()) || found.size() == MAX_FIELDS) continue;
                makeAccessible(field);
                found.add(field);
            }
        } catch (Throwable e) {
            // A class in its fields is missing, or the class is not accessible.
            Discarded.count("FieldNames.componentFields", e);
        }
        fields = found.toArray(new Field[0]);
        known.put(type, new SoftReference<Field[]>(fields));
        return fields;
    }

    private void makeAccessible(Field field) {
        try {
            field.setAccessible(true);
        } catch (RuntimeException e) {
            // Nothing is lost: it is made accessible in the other way, which throws if it fails, too.
            vm.open(field.getDeclaringClass());
            field.setAccessible(true);
        }
    }
}
