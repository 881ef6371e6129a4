package substrate.agent.state;

import java.util.Arrays;

/** Entries of a walk that exceeded their share, and the position up to which each was read. */
final class DeferredEntries {
    int[] entries = new int[16];
    int[] positions = new int[16];
    int count;

    void add(int entry, int position) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, count * 2);
            positions = Arrays.copyOf(positions, count * 2);
        }
        entries[count] = entry;
        positions[count++] = position;
    }
}
