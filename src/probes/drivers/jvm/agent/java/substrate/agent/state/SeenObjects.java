package substrate.agent.state;

import java.util.Arrays;

/** The entry of the walk that shows each object. By identity; reused for each walk, empty between them. */
final class SeenObjects {
    private static final int SMALL = 1 << 10;
    private Object[] objects = new Object[SMALL];
    private int[] entries = new int[SMALL];
    private int size;

    /** -1 if not seen. */
    int find(Object object) {
        int mask = objects.length - 1;
        for (int at = place(object, mask); objects[at] != null; at = (at + 1) & mask)
            if (objects[at] == object) return entries[at];
        return -1;
    }

    /** The object must not be in the table. */
    void add(Object object, int entry) {
        if (size * 2 >= objects.length) grow();
        insert(object, entry);
        size++;
    }

    void clear() {
        // A table for a much larger earlier state would take time to clear at each walk.
        if (objects.length > SMALL && size * 16 < objects.length) {
            objects = new Object[objects.length / 4];
            entries = new int[objects.length];
        } else Arrays.fill(objects, null);
        size = 0;
    }

    private void insert(Object object, int entry) {
        int mask = objects.length - 1;
        int at = place(object, mask);
        while (objects[at] != null) at = (at + 1) & mask;
        objects[at] = object;
        entries[at] = entry;
    }

    private void grow() {
        Object[] formerObjects = objects;
        int[] formerEntries = entries;
        objects = new Object[formerObjects.length * 2];
        entries = new int[objects.length];
        for (int at = 0; at < formerObjects.length; at++)
            if (formerObjects[at] != null) insert(formerObjects[at], formerEntries[at]);
    }

    private static int place(Object object, int mask) {
        int hash = System.identityHashCode(object) * 0x9E3779B9;
        return (hash ^ hash >>> 15) & mask;
    }
}
