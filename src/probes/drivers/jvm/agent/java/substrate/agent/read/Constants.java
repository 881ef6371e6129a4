package substrate.agent.read;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

import substrate.agent.vm.Vm;

/**
 * Static fields that are part of the program rather than of its state: what they hold was there when their class was
 * made ready and never changes, or by the custom of Java is not meant to. Collections that can change, atomics and
 * objects with fields that can be set are state, whatever they are called.
 */
final class Constants {
    /** One constant of a class's own type may be the one object of that class; several are what it can be. */
    private static final int FEW = 2;

    private final Vm vm;
    private final Shapes shapes;

    Constants(Vm vm, Shapes shapes) {
        this.vm = vm;
        this.shapes = shapes;
    }

    /** For a class that has been initialised. */
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

    /** Objects of this class are one value, and stay it. */
    private static boolean isFixed(Class<?> type) {
        return type.isPrimitive() || Enum.class.isAssignableFrom(type) || Scalars.isFixed(type);
    }

    /** To look something up in. */
    private static boolean isTable(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) element = element.getComponentType();
        return type.isArray() && isFixed(element);
    }

    /** Like the constants of an enum: of the class that declares them, or a table of those. */
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

    /** All its fields are final, and none leads to anything that could change. */
    private static boolean isFixedObject(Class<?> type) {
        if (type.isArray() || type.getClassLoader() == null) return false;
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass())
            for (Field field : at.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) continue;
                if (!Modifier.isFinal(field.getModifiers()) || !isFixed(field.getType())) return false;
            }
        return true;
    }

    /** A list or a set that cannot be changed, of values. A map that cannot be is how settings are kept. */
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
