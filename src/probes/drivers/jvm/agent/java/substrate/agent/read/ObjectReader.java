package substrate.agent.read;

import java.util.Arrays;

import substrate.agent.health.Discarded;

/**
 * Reads the children of one object: its fields, its elements, or both. Not thread safe, and a sink must not call
 * `read`.
 */
public final class ObjectReader implements Container.Taker {
    /** All children were taken. */
    public static final int DONE = -1;

    private static final long LENGTH = Hash.of("length");
    private static final long SIZE = Hash.of("size");
    private static final long KEY = Hash.of("key");
    private static final long VALUE = Hash.of("value");

    private final MemberOrder order;
    private final KeyNames names;

    // The sink of the object that is being read.
    private Sink sink;
    private Shape shape;
    /** Children before this position were taken earlier. */
    private int from;
    private int position;
    private boolean isRefused;
    private int kind;
    private int index;
    /** Members that are ordered first: of a set, or entries of a map whose keys are not texts. */
    private Object[] keys = new Object[64];
    private Object[] values = new Object[64];
    private int gathered;
    private boolean gathers;
    private int leftOut;
    /** The reported size of a collection. */
    private int size;
    /** The number of entries of a map that were visited. */
    private int met;

    public ObjectReader(Shapes shapes, MemberOrder order) {
        this.names = new KeyNames(shapes);
        this.order = order;
    }

    /**
     * Passes the children from position `first` on to the sink; returns the position of the child that was refused, or
     * DONE. `place` is the hash of the object's path.
     */
    public int read(Object target, Shape how, long place, int first, Sink into) {
        sink = into;
        shape = how;
        from = first;
        position = 0;
        isRefused = false;
        index = 0;
        leftOut = 0;
        try {
            Object viewed = how.isView() ? how.unwrap(target) : target;
            if (viewed instanceof Record) record((Record) viewed);
            else if (viewed instanceof Entry) entry((Entry) viewed);
            else if (target.getClass().isArray()) array(target);
            else {
                fields(target, how.slots);
                if (how.container != null && !isRefused) elements(target, how.container, place);
            }
        } catch (IllegalAccessException unreadable) {
            // The children read so far stay.
            Discarded.count("ObjectReader.read", unreadable);
        } finally {
            sink = null;
            shape = null;
        }
        return isRefused ? position : DONE;
    }

    /** The number of children of the last object without a path, or beyond a limit. */
    public int leftOut() {
        return leftOut;
    }

    /** The approximate number of children. */
    public static int estimate(Object target, Shape how) {
        if (how.container != null) return how.slots.length + 1 + how.container.estimate(target);
        if (how.isView()) return 2;
        if (how != Shape.BARE) return how.slots.length;
        if (target instanceof Object[]) return 1 + ((Object[]) target).length;
        if (target instanceof Record) return ((Record) target).size();
        if (target instanceof Entry) return 2;
        int length = java.lang.reflect.Array.getLength(target);
        return length > Rules.maxNumbers ? 1 : 1 + length;
    }

    private void fields(Object target, Slot[] slots) throws IllegalAccessException {
        for (Slot slot : slots) {
            if (position >= from) {
                sink.name(slot.name, slot.hash);
                if (refused(slot.read(target, sink))) return;
            }
            position++;
        }
    }

    private void record(Record record) {
        for (int at = 0; at < record.size(); at++) {
            if (position >= from) {
                sink.name(record.name(at), Hash.of(record.name(at)));
                if (refused(sink.value(record.value(at)))) return;
            }
            position++;
        }
    }

    private void entry(Entry entry) {
        if (position++ >= from) {
            sink.name("key", KEY);
            if (refused(sink.value(entry.key))) {
                position--;
                return;
            }
        }
        if (position >= from) {
            sink.name("value", VALUE);
            refused(sink.value(entry.value));
        }
    }

    private boolean refused(boolean taken) {
        isRefused = !taken;
        return isRefused;
    }

    /** Reports the count, before the elements. */
    private boolean count(String name, long hash, int count) {
        if (position >= from) {
            sink.name(name, hash);
            if (refused(sink.whole(count))) return false;
        }
        position++;
        return true;
    }

    private void array(Object target) {
        if (target instanceof Object[]) {
            Object[] elements = (Object[]) target;
            if (!count("length", LENGTH, elements.length)) return;
            boolean showsNull = elements.length <= Rules.maxWithNulls;
            for (int at = Math.max(0, from - position); at < elements.length; at++) {
                if (elements[at] == null && !showsNull) continue;
                sink.index(at);
                if (refused(sink.value(elements[at]))) {
                    position += at;
                    return;
                }
            }
            return;
        }
        int length = java.lang.reflect.Array.getLength(target);
        if (!count("length", LENGTH, length)) return;
        if (length > Rules.maxNumbers) {
            // The skipped array counts as one thing, not as so many values of the app.
            leftOut = 1;
            return;
        }
        for (int at = Math.max(0, from - position); at < length; at++) {
            sink.index(at);
            if (refused(primitive(target, at))) {
                position += at;
                return;
            }
        }
    }

    private boolean primitive(Object target, int at) {
        if (target instanceof int[]) return sink.whole(((int[]) target)[at]);
        if (target instanceof long[]) return sink.whole(((long[]) target)[at]);
        if (target instanceof double[]) return sink.decimal(((double[]) target)[at]);
        if (target instanceof boolean[]) return sink.flag(((boolean[]) target)[at]);
        if (target instanceof float[]) return sink.single(((float[]) target)[at]);
        return sink.whole(((short[]) target)[at]);
    }

    private void elements(Object target, Container container, long place) {
        kind = container.kindOf(target);
        boolean isList = kind == Container.LIST;
        size = container.size(target);
        if (size < 0) position++;
        else if (!count(isList ? "length" : "size", isList ? LENGTH : SIZE, size)) return;
        names.begin(container, target);
        met = 0;
        boolean isOrdered = container.isOrdered(target) || size > Rules.maxOrdered;
        gathers = kind == Container.SET && !isOrdered;
        gathered = 0;
        try {
            container.each(target, this);
            if (gathered > 0 && !isRefused) inOrder(place, isOrdered);
        } finally {
            Arrays.fill(keys, 0, gathered, null);
            Arrays.fill(values, 0, gathered, null);
            gathered = 0;
            names.end();
        }
    }

    @Override
    public boolean take(Object key, Object value) {
        if (gathers) return gather(value, null);
        if (kind != Container.MAP) {
            // The collection grows, or is emptied and filled again, while it is read.
            if (size >= 0 && index >= size) return false;
            if (position >= from) {
                sink.index(index);
                if (refused(sink.value(value))) return false;
            }
            index++;
            position++;
            return true;
        }
        met++;
        String name = names.of(key);
        if (name == null) return gather(key, value);
        if (name.length() > Rules.maxKey || name.equals("size") || shape.slots.length > 0 && shape.hasSlot(name)
            || !names.isItsOwn(key, name)) {
            leftOut++;
            return true;
        }
        if (position >= from) {
            sink.key(name);
            if (refused(sink.value(value))) return false;
        }
        position++;
        return true;
    }

    private boolean gather(Object key, Object value) {
        if (gathered == keys.length) {
            if (gathered >= 4 * Rules.maxOrdered) {
                leftOut += Math.max(1, size - met + 1);
                return false;
            }
            keys = Arrays.copyOf(keys, gathered * 2);
            values = Arrays.copyOf(values, gathered * 2);
        }
        keys[gathered] = key;
        values[gathered++] = value;
        return true;
    }

    private void inOrder(long place, boolean isOrdered) {
        int[] ranks = isOrdered ? null : order.ranks(place, keys, gathered);
        int[] members = new int[gathered];
        for (int at = 0; at < gathered; at++) members[ranks == null ? at : ranks[at]] = at;
        for (int at = 0; at < gathered; at++) {
            if (position >= from) {
                sink.index(at);
                Object key = keys[members[at]];
                if (refused(sink.value(kind == Container.MAP ? new Entry(key, values[members[at]]) : key))) return;
            }
            position++;
        }
    }
}
