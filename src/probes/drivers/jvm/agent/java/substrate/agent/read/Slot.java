package substrate.agent.read;

import java.lang.reflect.Field;

import substrate.agent.health.Discarded;
import substrate.agent.vm.Vm;

/** One field, made readable. */
public final class Slot {
    final Field field;
    /** The name, unique among the fields of the class. */
    public final String name;
    final long hash;
    /** The type as in descriptors: I, J, Z, …; L for any object. */
    final char type;
    /** False if no value of the declared type is shown: null is not shown either. */
    final boolean showsNull;

    Slot(Field field, String name, boolean showsNull) {
        this.field = field;
        this.name = name;
        this.hash = Hash.of(name);
        this.type = typeCodeOf(field.getType());
        this.showsNull = showsNull;
    }

    /** The field of this name in the class or an ancestor; null if none can be read. */
    public static Slot find(Vm vm, Class<?> type, String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            try {
                Field field = at.getDeclaredField(name);
                return open(vm, field) ? new Slot(field, name, true) : null;
            } catch (NoSuchFieldException ignored) {
                // The field may be declared further up.
            } catch (Throwable refused) {
                Discarded.count("Slot.find", refused);
                return null;
            }
        }
        return null;
    }

    static boolean open(Vm vm, Field field) {
        try {
            if (!vm.open(field.getDeclaringClass())) return false;
            field.setAccessible(true);
            return true;
        } catch (Throwable refused) {
            Discarded.count("Slot.open", refused);
            return false;
        }
    }

    /** Null also where it cannot be read. */
    public Object get(Object target) {
        try {
            return field.get(target);
        } catch (Throwable unreadable) {
            Discarded.count("Slot.get", unreadable);
            return null;
        }
    }

    public int getInt(Object target) {
        try {
            return field.getInt(target);
        } catch (Throwable unreadable) {
            Discarded.count("Slot.getInt", unreadable);
            return 0;
        }
    }

    public long getLong(Object target) {
        try {
            return field.getLong(target);
        } catch (Throwable unreadable) {
            Discarded.count("Slot.getLong", unreadable);
            return 0;
        }
    }

    public boolean isSynthetic() {
        return field.isSynthetic();
    }

    /** Passes the field's value on; false if it was not taken. */
    boolean read(Object target, Sink sink) throws IllegalAccessException {
        switch (type) {
            case 'I': case 'S': case 'B': return sink.whole(field.getInt(target));
            case 'J': return sink.whole(field.getLong(target));
            case 'Z': return sink.flag(field.getBoolean(target));
            case 'D': return sink.decimal(field.getDouble(target));
            case 'F': return sink.single(field.getFloat(target));
            case 'C': return sink.value(Character.valueOf(field.getChar(target)));
            default:
                Object value = field.get(target);
                return value == null && !showsNull || sink.value(value);
        }
    }

    private static char typeCodeOf(Class<?> type) {
        if (!type.isPrimitive()) return 'L';
        if (type == int.class) return 'I';
        if (type == long.class) return 'J';
        if (type == boolean.class) return 'Z';
        if (type == double.class) return 'D';
        if (type == float.class) return 'F';
        if (type == char.class) return 'C';
        return type == short.class ? 'S' : 'B';
    }
}
