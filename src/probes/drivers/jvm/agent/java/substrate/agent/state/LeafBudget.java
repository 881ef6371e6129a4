package substrate.agent.state;

import java.util.Arrays;

import substrate.agent.read.Rules;

/**
 * Divides the limit of leaves into shares, so that no root, part of a root or collection uses all of it. An entry that
 * exceeds its share is deferred until all others have been read.
 */
final class LeafBudget {
    static final int NONE = -1;

    private int[] parents = new int[64];
    private int[] sizes = new int[64];
    private int[] used = new int[64];
    private boolean[] ofCollections = new boolean[64];
    private int count;
    /** Shares grow exponentially with the rounds, so that a state of any size needs few of them. */
    private int rounds;

    void clear() {
        count = 0;
        rounds = 0;
    }

    int open(int size) {
        return add(NONE, Math.max(Rules.leastShare, size), false);
    }

    /** The parent of a part is the root, at any depth. Elements of a collection use the share of the collection. */
    int openPart(int share) {
        return ofCollections[share] ? share : add(rootOf(share), Rules.leastShare, false);
    }

    int openCollection(int share) {
        return add(share, Rules.leastShare, true);
    }

    private int rootOf(int share) {
        return parents[share] == NONE ? share : parents[share];
    }

    void growAll() {
        rounds++;
    }

    /** The unused rest of this share, limited by the rest of all shares around it. */
    int left(int share) {
        long left = Integer.MAX_VALUE;
        for (int at = share; at != NONE; at = parents[at]) {
            int growth = Rules.shareGrowth * rounds - (parents[at] == NONE ? 0 : Math.min(rounds, Rules.slowRounds));
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
