package substrate.agent.read;

import java.util.ArrayList;
import java.util.List;

/**
 * A part of a sorted map, or a map in descending order. Shown where its bounds can be compared without code of the app.
 */
final class Range extends Container {
    private final Shapes shapes;
    private final Slot whole;
    private final Slot comparator;
    private final Slot low;
    private final Slot high;
    private final Slot isLowIn;
    private final Slot isHighIn;
    /** Null if `isAlwaysDescending` decides. */
    private final Slot isDescending;
    private final boolean isAlwaysDescending;

    /** `bounds`: lowest key, highest key, and whether each is included. */
    Range(Last last, Shapes shapes, Slot whole, Slot comparator, Slot[] bounds, Slot isDescending, boolean descends) {
        super(MAP, true, null, last);
        this.shapes = shapes;
        this.whole = whole;
        this.comparator = comparator;
        this.low = bounds[0];
        this.high = bounds[1];
        this.isLowIn = bounds[2];
        this.isHighIn = bounds[3];
        this.isDescending = isDescending;
        this.isAlwaysDescending = descends;
    }

    @Override
    int count(Object target) {
        Object map = whole.get(target);
        Container container = shapes.containerOf(map);
        if (container == null) return UNKNOWN;
        if (low.get(target) == null && high.get(target) == null) return container.size(map);
        final int[] count = {0};
        boolean isKnown = inside(target, new Taker() {
            @Override
            public boolean take(Object key, Object value) {
                return ++count[0] <= MAX_COUNT;
            }
        });
        return isKnown ? count[0] : UNKNOWN;
    }

    @Override
    void each(Object target, Taker taker) {
        boolean descends = isDescending == null ? isAlwaysDescending : Boolean.TRUE.equals(isDescending.get(target));
        int size = descends ? count(target) : 0;
        if (!descends || size < 0 || size > Rules.maxOrdered) {
            inside(target, taker);
            return;
        }
        final List<Entry> entries = new ArrayList<Entry>();
        inside(target, new Taker() {
            @Override
            public boolean take(Object key, Object value) {
                entries.add(new Entry(key, value));
                return entries.size() < Rules.maxOrdered;
            }
        });
        for (int at = entries.size() - 1; at >= 0; at--)
            if (!taker.take(entries.get(at).key, entries.get(at).value)) return;
    }

    /** Iterates upwards. False if its bounds cannot be compared. */
    private boolean inside(Object target, final Taker taker) {
        Object map = whole.get(target);
        Container container = shapes.containerOf(map);
        final Object from = low.get(target);
        final Object to = high.get(target);
        if (container == null || from == null && to == null) {
            if (container != null) container.each(map, taker);
            return container != null;
        }
        final Class<?> type = (from != null ? from : to).getClass();
        if (comparator.get(map) != null || !isComparable(type)) return false;
        // A comparison gives -1, 0 or 1: these are the smallest and the largest result for a key inside the bounds.
        final int least = Boolean.TRUE.equals(isLowIn.get(target)) ? 0 : 1;
        final int most = Boolean.TRUE.equals(isHighIn.get(target)) ? 0 : -1;
        final boolean[] isKnown = {true};
        container.each(map, new Taker() {
            @Override
            public boolean take(Object key, Object value) {
                isKnown[0] = key != null && key.getClass() == type;
                if (!isKnown[0]) return false;
                if (from != null && compare(key, from) < least) return true;
                return (to == null || compare(key, to) <= most) && taker.take(key, value);
            }
        });
        return isKnown[0];
    }

    /** True if only code of the JDK compares it. */
    private static boolean isComparable(Class<?> type) {
        return type.getClassLoader() == null && Comparable.class.isAssignableFrom(type) && Scalars.isFixed(type);
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object key, Object bound) {
        return Integer.signum(((Comparable<Object>) key).compareTo(bound));
    }
}
