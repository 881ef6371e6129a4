package substrate.agent.state;

import java.util.Arrays;

/**
 * Shares of the cap, so that no root and no collection eats all of it: what exceeds a share is put aside and read when
 * all others had theirs and there is room. A collection's share is a part of that of what holds it.
 */
final class Shares {
    static final int NONE = -1;
    private static final int LEAST = 16;
    private static final int PART = 4;
    /** Powers of two. */
    private static final int GROWTH = 2;

    private int[] parents = new int[64];
    private int[] sizes = new int[64];
    private int[] used = new int[64];
    private int count;
    /** Each makes all shares larger, so that few are needed for any size. */
    private int rounds;

    void clear() {
        count = 0;
        rounds = 0;
    }

    int open(int size) {
        return add(NONE, Math.max(LEAST, size));
    }

    int openBelow(int parent) {
        return add(parent, Math.max(LEAST, sizes[parent] / PART));
    }

    void growAll() {
        rounds++;
    }

    /** What is left of this share and of all that it is part of. */
    int left(int share) {
        long left = Integer.MAX_VALUE;
        for (int at = share; at != NONE; at = parents[at])
            left = Math.min(left, ((long) sizes[at] << Math.min(GROWTH * rounds, 31)) - used[at]);
        return (int) Math.max(0, left);
    }

    void use(int share, int amount) {
        for (int at = share; at != NONE; at = parents[at]) used[at] += amount;
    }

    private int add(int parent, int size) {
        if (count == parents.length) {
            parents = Arrays.copyOf(parents, count * 2);
            sizes = Arrays.copyOf(sizes, count * 2);
            used = Arrays.copyOf(used, count * 2);
        }
        parents[count] = parent;
        sizes[count] = size;
        used[count] = 0;
        return count++;
    }
}
