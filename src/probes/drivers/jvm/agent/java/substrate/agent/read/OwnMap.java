package substrate.agent.read;

import java.lang.reflect.Array;
import java.util.List;

/**
 * Keys in one array and values in another, by the same index; it uses one of several arrays of each. Without values it
 * is a set.
 */
final class OwnMap extends Container {
    private final Slot[] keys;
    private final Slot[] values;

    OwnMap(Last last, List<Slot> keys, List<Slot> values) {
        super(MAP, true, null, last);
        this.keys = keys.toArray(Shape.NO_SLOTS);
        this.values = values.toArray(Shape.NO_SLOTS);
    }

    @Override
    int kindOf(Object target) {
        return used(values, target) == null ? SET : MAP;
    }

    @Override
    int count(Object target) {
        Object names = used(keys, target);
        Object held = used(values, target);
        int length = length(names, held);
        int count = 0;
        for (int at = 0; at < length; at++) if (isThere(names, held, at)) count++;
        return count;
    }

    @Override
    void each(Object target, Taker taker) {
        Object names = used(keys, target);
        Object held = used(values, target);
        int length = length(names, held);
        for (int at = 0; at < length; at++) {
            if (!isThere(names, held, at)) continue;
            Object key = Array.get(names, at);
            if (!(held == null ? taker.take(null, key) : taker.take(key, Array.get(held, at)))) return;
        }
    }

    private static Object used(Slot[] arrays, Object target) {
        for (Slot slot : arrays) {
            Object array = slot.get(target);
            if (array != null) return array;
        }
        return null;
    }

    private static int length(Object names, Object held) {
        if (names == null) return 0;
        int length = Array.getLength(names);
        return Math.min(MAX_COUNT, held == null ? length : Math.min(length, Array.getLength(held)));
    }

    /** An unused place holds null or 0. */
    private static boolean isThere(Object names, Object held, int at) {
        return isFilled(names, at) || held != null && isFilled(held, at);
    }

    private static boolean isFilled(Object array, int at) {
        if (array instanceof Object[]) return ((Object[]) array)[at] != null;
        if (array instanceof int[]) return ((int[]) array)[at] != 0;
        if (array instanceof long[]) return ((long[]) array)[at] != 0;
        Object value = Array.get(array, at);
        return value instanceof Number ? ((Number) value).doubleValue() != 0
            : !Boolean.FALSE.equals(value) && !Character.valueOf('\0').equals(value);
    }
}
