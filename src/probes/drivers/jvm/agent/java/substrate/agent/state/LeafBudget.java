package substrate.agent.state;

import java.util.Arrays;

/**
 * Shares of the cap, so that no root, no part of it and no collection eats all of it: what exceeds a share is put aside and
 * read when all others had theirs and there is room.
 */
final class LeafBudget {
    static final int NONE = -1;
    private static final int LEAST = 16;
    /** Powers of two. */
    private static final int GROWTH = 2;
    /** Those within a root grow slower in the first rounds, so that none of them eats what the root may have. */
    private static final int SLOW_ROUNDS = 6;

    private int[] parents = new int[64];
    private int[] sizes = new int[64];
    private int[] used = new int[64];
    private boolean[] ofCollections = new boolean[64];
    private int count;
    /** Each makes all shares larger, so that few are needed for any size. */
    private int rounds;

    void clear() {
        count = 0;
        rounds = 0;
    }

    int open(int size) {
        return add(NONE, Math.max(LEAST, size), false);
    }

    /** Beside all other parts of the root, however deep; the elements of a collection have none of their own. */
    int openPart(int share) {
        return ofCollections[share] ? share : add(rootOf(share), LEAST, false);
    }

    int openCollection(int share) {
        return add(share, LEAST, true);
    }

    private int rootOf(int share) {
        return parents[share] == NONE ? share : parents[share];
    }

    void growAll() {
        rounds++;
    }

    /** What is left of this share and of all that it is part of. */
    int left(int share) {
        long left = Integer.MAX_VALUE;
        for (int at = share; at != NONE; at = parents[at]) {
            int growth = GROWTH * rounds - (parents[at] == NONE ? 0 : Math.min(rounds, SLOW_ROUNDS));
            left = Math.min(left, ((long) sizes[at] << Math.min(growth, 31)) - used[at]);
        }
        return (int) Math.max(0, left);
    }

    void use(int share, int amount) {
        for (int at = share; at != NONE; at = parents[at]) used[at] += amount;
    }

    private int add(int parent, int size, boolean isCollection) {
        if (count == parents.length) {
            parents = Arrays.copyOf(parents, count * 2);
            sizes = Arrays.copyOf(sizes, count * 2);
            used = Arrays.copyOf(used, count * 2);
            ofCollections = Arrays.copyOf(ofCollections, count * 2);
        }
        parents[count] = parent;
        sizes[count] = size;
        used[count] = 0;
        ofCollections[count] = isCollection;
        return count++;
    }
}
