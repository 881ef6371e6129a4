package substrate.agent.read;

import java.lang.ref.WeakReference;

/** A collection that does not know how many elements it has: one has to go through all of them. */
abstract class Counting extends Container {
    /** Of a larger one the size is not told. */
    static final int MAX_COUNT = 1_000_000;

    /** The last estimate, until the same collection is read or the walk ends. */
    static final class Last {
        private WeakReference<Object> target;
        private int count;

        void forget() {
            target = null;
        }
    }

    private final Last last;

    Counting(int kind, Last last) {
        super(kind);
        this.last = last;
    }

    /** UNKNOWN, or how many; more than MAX_COUNT: at least so many. */
    abstract int count(Object target);

    @Override
    final int size(Object target) {
        boolean isKnown = last.target != null && last.target.get() == target;
        int count = isKnown ? last.count : count(target);
        if (isKnown) last.forget();
        return count > MAX_COUNT ? UNKNOWN : count;
    }

    @Override
    final int estimate(Object target) {
        last.count = count(target);
        last.target = new WeakReference<Object>(target);
        return Math.max(0, last.count);
    }
}
