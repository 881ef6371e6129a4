package substrate.agent.state;

/** Finds the number that belongs to a 64-bit hash. */
final class HashIndex {
    private long[] hashes;
    /** Number + 1; 0: free. */
    private int[] numbers;
    private int size;

    HashIndex(int expected) {
        int capacity = 64;
        while (capacity < expected * 2) capacity *= 2;
        hashes = new long[capacity];
        numbers = new int[capacity];
    }

    /** -1: none. */
    int find(long hash) {
        int mask = hashes.length - 1;
        for (int at = (int) hash & mask; numbers[at] != 0; at = (at + 1) & mask)
            if (hashes[at] == hash) return numbers[at] - 1;
        return -1;
    }

    /** False: the hash is there already. */
    boolean add(long hash, int number) {
        if (size * 2 >= hashes.length) grow();
        int mask = hashes.length - 1;
        int at = (int) hash & mask;
        for (; numbers[at] != 0; at = (at + 1) & mask) if (hashes[at] == hash) return false;
        hashes[at] = hash;
        numbers[at] = number + 1;
        size++;
        return true;
    }

    private void grow() {
        long[] formerHashes = hashes;
        int[] formerNumbers = numbers;
        hashes = new long[formerHashes.length * 2];
        numbers = new int[hashes.length];
        size = 0;
        for (int at = 0; at < formerHashes.length; at++)
            if (formerNumbers[at] != 0) add(formerHashes[at], formerNumbers[at] - 1);
    }
}
