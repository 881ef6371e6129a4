package substrate.agent.read;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;

/** How the elements of one family of collections are read from its private fields, without calling it. */
abstract class Container {
    static final int LIST = 0;
    static final int SET = 1;
    static final int MAP = 2;

    /** More than any collection that is read; ends the way through one that another thread is just changing. */
    static final int MAX_STEPS = 1 << 26;

    /** Of a larger one that has to be gone through the size is not told. */
    static final int MAX_COUNT = 1_000_000;

    /** The size of a collection that cannot be counted here. */
    static final int UNKNOWN = -1;

    interface Taker {
        /** False: enough. The key is null for lists and sets. */
        boolean take(Object key, Object value);
    }

    /** The last estimate, until the same collection is read or the walk ends. */
    static final class Last {
        private WeakReference<Object> target;
        private int count;

        void forget() {
            target = null;
        }
    }

    private static final class Counter implements Taker {
        private final int most;
        private int count;

        Counter(int most) {
            this.most = most;
        }

        @Override
        public boolean take(Object key, Object value) {
            return ++count <= most;
        }
    }

    final int kind;
    private final boolean isOrdered;
    /** Where it counts its elements: a number, or an atomic one; null: one has to go through all of them. */
    private final Slot size;
    /** Where that is remembered; null: it takes no time. */
    private final Last last;

    Container(int kind, boolean isOrdered, Slot size, Last last) {
        this.kind = kind;
        this.isOrdered = isOrdered;
        this.size = size;
        this.last = last;
    }

    Container(int kind) {
        this(kind, kind == LIST, null, null);
    }

    /** LIST, SET or MAP; most are always the same one. */
    int kindOf(Object target) {
        return kind;
    }

    /** A part of what is shown elsewhere as a whole. */
    boolean isInner(Object target) {
        return false;
    }

    /** As the collection counts, or UNKNOWN; may be off by a little while it is being changed. */
    int size(Object target) {
        if (size != null) {
            Object counter = size.type == 'L' ? size.get(target) : null;
            boolean isAtomic = counter instanceof AtomicInteger;
            return Math.max(0, isAtomic ? ((AtomicInteger) counter).get() : size.getInt(target));
        }
        if (last == null) return count(target);
        boolean isKnown = last.target != null && last.target.get() == target;
        int count = isKnown ? last.count : count(target);
        if (isKnown) last.forget();
        return count > MAX_COUNT ? UNKNOWN : count;
    }

    /** At least about so many. What it takes to find out is not done again for the `size` that is asked next. */
    int estimate(Object target) {
        if (size != null || last == null) return Math.max(0, size(target));
        last.count = count(target);
        last.target = new WeakReference<Object>(target);
        return Math.max(0, last.count);
    }

    /** UNKNOWN, or how many; more than MAX_COUNT where that takes time: at least so many. */
    int count(Object target) {
        return count(target, last == null ? MAX_STEPS : MAX_COUNT);
    }

    final int count(Object target, int most) {
        Counter counter = new Counter(most);
        each(target, counter);
        return counter.count;
    }

    abstract void each(Object target, Taker taker);

    /** What it takes to go through all, even while another thread is changing it. */
    final long maxSteps(Object target) {
        return size == null ? MAX_STEPS : 2L * size(target) + 1024;
    }

    /** False: the order of the elements is an accident of their hashes. */
    boolean isOrdered(Object target) {
        return isOrdered;
    }
}
