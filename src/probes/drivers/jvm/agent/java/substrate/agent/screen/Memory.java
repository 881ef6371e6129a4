package substrate.agent.screen;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/** The facts that are remembered of a window or component as long as it lives. */
public final class Memory {
    private static final int START_ROWS = 200;
    private static final int MIN_ROWS = 5;
    private static final long QUIET_NANOS = 60000000000L;
    private static final long SLOW_NANOS = 20000000L;
    private static final long VERY_SLOW_NANOS = 200000000L;

    /** The id in reports. */
    public final int id;
    /** The last rows of a model, used while it is not called; holds no object of the app. */
    public Rows lastRows;
    public int maxRows = START_ROWS;
    private long quietUntil;
    private boolean isQuiet;

    private Memory(int id) {
        this.id = id;
    }

    public boolean mayAsk() {
        if (isQuiet && System.nanoTime() - quietUntil >= 0) isQuiet = false;
        return !isQuiet;
    }

    /** A model that throws is not called for a minute. */
    public void threw() {
        isQuiet = true;
        quietUntil = System.nanoTime() + QUIET_NANOS;
    }

    /** A model that blocks the event thread is called for fewer rows, or not at all for a minute. */
    public void took(long nanos) {
        if (nanos > SLOW_NANOS) maxRows = Math.max(MIN_ROWS, maxRows / 2);
        if (nanos > VERY_SLOW_NANOS) threw();
    }

    /** By identity, without keeping anything alive. */
    public static final class Registry {
        private final Map<WeakKey, Memory> memories = new HashMap<WeakKey, Memory>();
        private final ReferenceQueue<Object> gone = new ReferenceQueue<Object>();
        private int lastId;

        public synchronized Memory of(Object object) {
            for (Object key = gone.poll(); key != null; key = gone.poll()) memories.remove(key);
            WeakKey key = new WeakKey(object, gone);
            Memory memory = memories.get(key);
            if (memory == null) memories.put(key, memory = new Memory(++lastId));
            else key.clear();
            return memory;
        }
    }

    private static final class WeakKey extends WeakReference<Object> {
        private final int hash;

        WeakKey(Object object, ReferenceQueue<Object> gone) {
            super(object, gone);
            hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            if (this == other) return true;
            Object object = get();
            return object != null && other instanceof WeakKey && ((WeakKey) other).get() == object;
        }
    }
}
