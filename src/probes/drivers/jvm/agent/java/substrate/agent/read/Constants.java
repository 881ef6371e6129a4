package substrate.agent.read;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

import substrate.agent.vm.Vm;

/**
 * Static fields that are part of the program rather than of its state: their values were there when the class was
 * initialised and never change, or by Java's conventions are not meant to. Mutable collections, atomics and objects
 * with settable fields are state, whatever their names.
 */
final class Constants {
    /** One constant of the class's own type may be its singleton; several are its possible values. */
    private static final int FEW = 2;

    private final Vm vm;
    private final Shapes shapes;

    Constants(Vm vm, Shapes shapes) {
        this.vm = vm;
        this.shapes = shapes;
    }

    /** The class must be initialised. */
    boolean isConstant(Field field) {
        if (!isStaticFinal(field)) return false;
        Class<?> type = field.getType();
        if (type.isPrimitive() || type == String.class) return true;
        if (!isUpperCase(field.getName())) return false;
        if (isFixed(type) || isTable(type) || isOneOfSeveral(field)) return true;
        Object value = Slot.open(vm, field) ? new Slot(field, field.getName(), true).get(null) : null;
        return value != null && (isFixed(value.getClass()) || isFixedObject(value.getClass()) || isFixedList(value));
    }

    private static boolean isStaticFinal(Field field) {
        return Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
    }

    static boolean isUpperCase(String name) {
        for (int at = 0; at < name.length(); at++) if (Character.isLowerCase(name.charAt(at))) return false;
        return true;
    }

    /** True if objects of this class are one immutable value. */
    private static boolean isFixed(Class<?> type) {
        return type.isPrimitive() || Enum.class.isAssignableFrom(type) || Scalars.isFixed(type);
    }

    /** True for a lookup table. */
    private static boolean isTable(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) element = element.getComponentType();
        return type.isArray() && isFixed(element);
    }

    /** True for constants like those of an enum: of the declaring class, or a table of them. */
    private static boolean isOneOfSeveral(Field field) {
        Class<?> owner = field.getDeclaringClass();
        if (field.getType().isArray()) return isKindOf(owner, field.getType().getComponentType());
        if (!isKindOf(owner, field.getType())) return false;
        int count = 0;
        for (Field other : owner.getDeclaredFields())
            if (isStaticFinal(other) && isUpperCase(other.getName()) && isKindOf(owner, other.getType())) count++;
        return count >= FEW;
    }

    private static boolean isKindOf(Class<?> owner, Class<?> type) {
        return type != Object.class && !type.isInterface()
            && (owner.isAssignableFrom(type) || type.isAssignableFrom(owner));
    }

    /** True if all its fields are final, and none leads to a mutable object. */
    private static boolean isFixedObject(Class<?> type) {
        if (type.isArray() || type.getClassLoader() == null) return false;
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass())
            for (Field field : at.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) continue;
                if (!Modifier.isFinal(field.getModifiers()) || !isFixed(field.getType())) return false;
            }
        return true;
    }

    /** An immutable list or set of values. An immutable map does not count: settings are kept in such maps. */
    private boolean isFixedList(Object value) {
        String name = value.getClass().getName();
        boolean isClosed = name.startsWith("java.util.ImmutableCollections$")
            || name.equals("java.util.Arrays$ArrayList")
            || name.startsWith("java.util.Collections$") && !name.startsWith("java.util.Collections$Synchronized");
        if (!isClosed) return false;
        Object list = value;
        Shape shape = shapes.of(list.getClass());
        if (shape.kind == Shape.WRAPPER) {
            list = shape.unwrap(list);
            if (list == null) return false;
            shape = shapes.of(list.getClass());
        }
        if (shape.container == null || shape.container.kind == Container.MAP) return false;
        for (Entry entry : shapes.entriesOf(list))
            if (entry.value != null && !isFixed(entry.value.getClass())) return false;
        return true;
    }
}
