package substrate.agent.state;

import java.util.Arrays;

/** Finds the number that belongs to a 64-bit hash. */
final class HashIndex {
    private long[] hashes;
    /** Number + 1; 0 if free. */
    private int[] numbers;
    private int size;

    HashIndex(int expected) {
        int capacity = capacityFor(expected);
        hashes = new long[capacity];
        numbers = new int[capacity];
    }

    private static int capacityFor(int expected) {
        int capacity = 64;
        while (capacity * 3L < expected * 4L) capacity *= 2;
        return capacity;
    }

    /** Empties it, for at least this many. */
    void clear(int expected) {
        reset(Math.max(expected, hashes.length / 4 * 3));
    }

    /** Empties it, for about this many. */
    void reset(int expected) {
        int capacity = capacityFor(expected);
        if (capacity > hashes.length || capacity * 8 < hashes.length) {
            hashes = new long[capacity];
            numbers = new int[capacity];
        } else Arrays.fill(numbers, 0);
        size = 0;
    }

    /** -1 if there is none. */
    int find(long hash) {
        int mask = hashes.length - 1;
        for (int at = (int) hash & mask; numbers[at] != 0; at = (at + 1) & mask)
            if (hashes[at] == hash) return numbers[at] - 1;
        return -1;
    }

    /** False if the hash is there already. */
    boolean add(long hash, int number) {
        if (size * 4L >= hashes.length * 3L) grow();
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
