package substrate.agent.read;

/** How the elements of one family of collections are read from its private fields, without calling it. */
abstract class Container {
    static final int LIST = 0;
    static final int SET = 1;
    static final int MAP = 2;

    /** More than any collection that is read; ends the way through one that another thread is just changing. */
    static final int MAX_STEPS = 1 << 26;

    /** The size of a collection that cannot be counted here. */
    static final int UNKNOWN = -1;

    interface Taker {
        /** False: enough. The key is null for lists and sets. */
        boolean take(Object key, Object value);
    }

    final int kind;

    Container(int kind) {
        this.kind = kind;
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
    abstract int size(Object target);

    /** At least about so many. What it takes to find out is not done again for the `size` that is asked next. */
    int estimate(Object target) {
        return Math.max(0, size(target));
    }

    abstract void each(Object target, Taker taker);

    /** False: the order of the elements is an accident of their hashes. */
    boolean isOrdered(Object target) {
        return kind == LIST;
    }
}
