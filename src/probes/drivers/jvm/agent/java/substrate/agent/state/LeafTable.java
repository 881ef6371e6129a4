package substrate.agent.state;

import java.util.Arrays;

/**
 * What the last walk saw, leaf by leaf in its order. The next walk is compared in lockstep: while the paths are the
 * same ones, nothing is looked up and nothing is made. From the first difference on a new table is filled and the old
 * one searched by hash.
 */
final class LeafTable {
    /** Verdicts on a leaf: a slot below means that it came or has another value. */
    static final int SAME = -1;
    /** The path is there already; it must not be sent again. */
    static final int DOUBLE = -2;

    /** Slots are never used again; when most are empty a new numbering costs less than carrying them along. */
    private static final int MAX_EMPTY_SLOTS = 10_000;
    private static final int[] NONE = {};

    private Rows before = new Rows(0);
    /** null: in lockstep. */
    private Rows now;
    /** The one before the last, to be filled again: a table for each comparison would be garbage. */
    private Rows spare = new Rows(0);
    private final HashIndex index = new HashIndex(0);
    private final HashIndex added = new HashIndex(0);
    private boolean isIndexed;
    private int at;
    private int nextSlot;
    private boolean isFull;
    private boolean wasAdded;

    private static final class Rows {
        long[] hashes;
        long[] bits;
        Object[] texts;
        int[] slots;
        byte[] kinds;
        int count;

        Rows(int capacity) {
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

        /** Keeps nothing of the app, and no more room than twice what was needed. */
        Rows empty() {
            if (hashes.length > 2 * count + 256) return new Rows(0);
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

    /** True when everything had better be sent again. */
    boolean isSparse() {
        return nextSlot > 2 * before.count + MAX_EMPTY_SLOTS;
    }

    void begin(boolean full) {
        isFull = full;
        isIndexed = false;
        at = 0;
        // What a walk left that was not finished.
        if (now != null) spare = now.empty();
        now = null;
        if (!full) return;
        added.clear(before.count);
        now = spare;
        spare = before.empty();
        before = new Rows(0);
        nextSlot = 0;
    }

    /** The slot of a leaf that came or has another value (see `wasAdded`), SAME or DOUBLE. */
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

    /** Slots of leaves that are gone; the table is that of the next comparison from here on. */
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

    /** What was sent is not known any more. */
    void forget() {
        before = new Rows(0);
        spare = new Rows(0);
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
        now = spare.hashes.length < before.count ? new Rows(expected) : spare;
        spare = new Rows(0);
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
