package substrate.agent.state;

import java.util.Arrays;

/**
 * The leaves of the last walk, in its order. The next walk is compared in lockstep: while the paths are equal, nothing
 * is searched and nothing is allocated. From the first difference on a new table is filled and the old one searched by
 * hash.
 */
final class LeafTable {
    /** Results for a leaf: a slot (0 or more) means that it is new or has another value. */
    static final int SAME = -1;
    /** The path exists already; it must not be sent again. */
    static final int DOUBLE = -2;

    /** Slots are never reused; when most are empty a new numbering costs less than keeping them. */
    private static final int MAX_EMPTY_SLOTS = 10_000;
    private static final int[] NONE = {};

    private LeafRows before = new LeafRows(0);
    /** Null while in lockstep. */
    private LeafRows now;
    /** The table before the last, which is filled again: a new one for each comparison would be garbage. */
    private LeafRows spare = new LeafRows(0);
    private final HashIndex index = new HashIndex(0);
    private final HashIndex added = new HashIndex(0);
    private boolean isIndexed;
    private int at;
    private int nextSlot;
    private boolean isFull;
    private boolean wasAdded;

    private static final class LeafRows {
        long[] hashes;
        long[] bits;
        Object[] texts;
        int[] slots;
        byte[] kinds;
        int count;

        LeafRows(int capacity) {
            hashes = new long[capacity];
            bits = new long[capacity];
            texts = new Object[capacity];
            slots = new int[capacity];
            kinds = new byte[capacity];
        }

        void add(long hash, byte kind, long bit, Object text, int slot) {
            if (count == hashes.length) grow();
            hashes[count] = hash;
            slots[count] = slot;
            set(count++, kind, bit, text);
        }

        void set(int row, byte kind, long bit, Object text) {
            kinds[row] = kind;
            bits[row] = bit;
            texts[row] = text;
        }

        boolean holds(int row, byte kind, long bit, Object text) {
            return kinds[row] == kind && bits[row] == bit && (texts[row] == text || Leaf.isSameText(texts[row], text));
        }

        /** Drops all objects of the app, and the memory above twice the need. */
        LeafRows empty() {
            if (hashes.length > 2 * count + 256) return new LeafRows(0);
            Arrays.fill(texts, 0, count, null);
            count = 0;
            return this;
        }

        private void grow() {
            int capacity = Math.max(256, count + (count >> 1));
            hashes = Arrays.copyOf(hashes, capacity);
            bits = Arrays.copyOf(bits, capacity);
            texts = Arrays.copyOf(texts, capacity);
            slots = Arrays.copyOf(slots, capacity);
            kinds = Arrays.copyOf(kinds, capacity);
        }
    }

    /** True when it is better to send everything again. */
    boolean isSparse() {
        return nextSlot > 2 * before.count + MAX_EMPTY_SLOTS;
    }

    void begin(boolean full) {
        isFull = full;
        isIndexed = false;
        at = 0;
        // The last walk was not finished.
        if (now != null) spare = now.empty();
        now = null;
        if (!full) return;
        added.clear(before.count);
        now = spare;
        spare = before.empty();
        before = new LeafRows(0);
        nextSlot = 0;
    }

    /** The slot of a leaf that is new or has another value (see `wasAdded`), SAME or DOUBLE. */
    int put(long hash, byte kind, long bits, Object text) {
        wasAdded = false;
        if (now == null) {
            if (at < before.count && before.hashes[at] == hash) {
                int row = at++;
                if (before.holds(row, kind, bits, text)) return SAME;
                before.set(row, kind, bits, text);
                return before.slots[row];
            }
            leaveLockstep();
        }
        return isFull ? add(hash, kind, bits, text) : search(hash, kind, bits, text);
    }

    boolean wasAdded() {
        return wasAdded;
    }

    /** Returns the slots of removed leaves; the new table is used for the next comparison. */
    int[] finish() {
        int[] removed = now == null ? cut() : unused();
        if (now != null) {
            if (isFull) added.reset(0);
            else spare = before.empty();
            before = now;
        }
        now = null;
        return removed;
    }

    /** Forgets what was sent. */
    void forget() {
        before = new LeafRows(0);
        spare = new LeafRows(0);
        now = null;
        index.reset(0);
        added.reset(0);
        nextSlot = 0;
    }

    int count() {
        return before.count;
    }

    private void leaveLockstep() {
        int expected = before.count + (before.count >> 4) + 16;
        now = spare.hashes.length < before.count ? new LeafRows(expected) : spare;
        spare = new LeafRows(0);
        for (int row = 0; row < at; row++) {
            now.add(before.hashes[row], before.kinds[row], before.bits[row], before.texts[row], before.slots[row]);
            before.slots[row] = ~before.slots[row];
        }
        added.reset(64);
    }

    private int search(long hash, byte kind, long bits, Object text) {
        int row = at < before.count && before.hashes[at] == hash ? at : indexOfBefore().find(hash);
        if (row < 0) return add(hash, kind, bits, text);
        int slot = before.slots[row];
        if (slot < 0) return DOUBLE;
        before.slots[row] = ~slot;
        at = row + 1;
        now.add(hash, kind, bits, text, slot);
        return before.holds(row, kind, bits, text) ? SAME : slot;
    }

    private int add(long hash, byte kind, long bits, Object text) {
        if (!added.add(hash, 0)) return DOUBLE;
        wasAdded = true;
        now.add(hash, kind, bits, text, nextSlot);
        return nextSlot++;
    }

    private HashIndex indexOfBefore() {
        if (isIndexed) return index;
        isIndexed = true;
        index.reset(before.count);
        for (int row = 0; row < before.count; row++) index.add(before.hashes[row], row);
        return index;
    }

    private int[] cut() {
        if (at == before.count) return NONE;
        int[] removed = Arrays.copyOfRange(before.slots, at, before.count);
        Arrays.fill(before.texts, at, before.count, null);
        before.count = at;
        return removed;
    }

    private int[] unused() {
        int count = 0;
        for (int row = 0; row < before.count; row++) if (before.slots[row] >= 0) count++;
        if (count == 0) return NONE;
        int[] removed = new int[count];
        for (int row = before.count - 1; row >= 0; row--)
            if (before.slots[row] >= 0) removed[--count] = before.slots[row];
        return removed;
    }
}
