package substrate.agent.read;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads the elements of one family of collections from its private fields, without calling it. */
abstract class Container {
    static final int LIST = 0;
    static final int SET = 1;
    static final int MAP = 2;

    /** More than any collection that is read; ends the iteration of one that another thread is changing. */
    static final int MAX_STEPS = 1 << 26;

    /** A larger collection that does not store its size is reported without one. */
    static final int MAX_COUNT = 1_000_000;

    /** The size of a collection that cannot be counted. */
    static final int UNKNOWN = -1;

    interface Taker {
        /** False ends the iteration. The key is null for lists and sets. */
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
    /** The field with the number of elements, plain or atomic; null if they have to be counted one by one. */
    private final Slot size;
    /** Keeps the estimate; null if the size takes no time. */
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

    /** LIST, SET or MAP; constant for most containers. */
    int kindOf(Object target) {
        return kind;
    }

    /** True for a part of a collection that is shown elsewhere as a whole. */
    boolean isInner(Object target) {
        return false;
    }

    /** The size that the collection stores, or UNKNOWN; slightly wrong while it is being changed. */
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

    /** A lower bound of the size. The result is kept for the `size` that follows. */
    int estimate(Object target) {
        if (size != null || last == null) return Math.max(0, size(target));
        last.count = count(target);
        last.target = new WeakReference<Object>(target);
        return Math.max(0, last.count);
    }

    /** The number of elements, or UNKNOWN; more than MAX_COUNT means at least so many, where counting takes time. */
    int count(Object target) {
        return count(target, last == null ? MAX_STEPS : MAX_COUNT);
    }

    final int count(Object target, int most) {
        Counter counter = new Counter(most);
        each(target, counter);
        return counter.count;
    }

    abstract void each(Object target, Taker taker);

    /** The limit of steps for a full iteration, even while another thread is changing it. */
    final long maxSteps(Object target) {
        return size == null ? MAX_STEPS : 2L * size(target) + 1024;
    }

    /** False if the order depends on hashes. */
    boolean isOrdered(Object target) {
        return isOrdered;
    }
}
