package substrate.agent.state;

import java.util.Arrays;

import substrate.agent.read.Entry;
import substrate.agent.read.Hash;
import substrate.agent.read.Shape;

/** The objects that a walk has met, in this order, each with its parent and the last segment of its path. */
final class Entries {
    static final int NO_PARENT = -1;
    /** Segments: a field's name, the key of a map, or an index from 0 on. */
    static final int NAME = -1;
    static final int KEY = -2;
    private static final int SMALL = 256;
    private static final int INDEX_LENGTH = 5;
    private static final long ANY_INDEX = Hash.of("[*]");
    private static final long ANY_KEY = Hash.of("{*}");

    int count;
    Object[] targets = new Object[SMALL];
    Shape[] shapes = new Shape[SMALL];
    int[] parents = new int[SMALL];
    String[] names = new String[SMALL];
    int[] segments = new int[SMALL];
    long[] hashes = new long[SMALL];
    /** Hashes of the paths with `[*]` for each index and `{*}` for each key. */
    long[] shapeHashes = new long[SMALL];
    /** The approximate number of characters of each path. */
    int[] lengths = new int[SMALL];
    byte[] depths = new byte[SMALL];
    int[] shares = new int[SMALL];
    boolean[] isVisited = new boolean[SMALL];

    int addRoot(String id, Object target, Shape shape, int share) {
        long hash = Hash.join(Hash.START, Hash.of(id));
        return add(NO_PARENT, NAME, id, hash, hash, target, shape, share);
    }

    int addChild(int parent, int segment, String name, long hash, Object target, Shape shape, int share) {
        long part = segment == NAME ? Hash.of(name) : segment == KEY ? ANY_KEY : ANY_INDEX;
        return add(parent, segment, name, hash, Hash.join(shapeHashes[parent], part), target, shape, share);
    }

    private int add(int parent, int segment, String name, long hash, long shapeHash, Object target,
        Shape shape, int share) {
        if (count == targets.length) grow();
        int entry = count++;
        parents[entry] = parent;
        segments[entry] = segment;
        names[entry] = name;
        hashes[entry] = hash;
        shapeHashes[entry] = shapeHash;
        targets[entry] = target;
        shapes[entry] = shape;
        depths[entry] = (byte) (parent < 0 ? 1 : depths[parent] + 1);
        shares[entry] = share;
        isVisited[entry] = false;
        lengths[entry] = (parent < 0 ? 0 : lengths[parent]) + length(segment, name);
        return entry;
    }

    /** Drops all objects of the app, and the memory that such a state does not need. */
    void clear() {
        if (targets.length > SMALL && count * 8 < targets.length) resize(Math.max(SMALL, count * 2));
        int end = Math.min(count, targets.length);
        Arrays.fill(targets, 0, end, null);
        Arrays.fill(shapes, 0, end, null);
        Arrays.fill(names, 0, end, null);
        count = 0;
    }

    void path(StringBuilder out, int entry) {
        if (parents[entry] < 0) {
            out.append(names[entry]);
            return;
        }
        path(out, parents[entry]);
        segment(out, segments[entry], names[entry]);
    }

    static void segment(StringBuilder out, int segment, String name) {
        if (segment >= 0) Paths.index(out, segment);
        else if (out.length() > 0 || !name.isEmpty()) Paths.name(out, name);
    }

    static int length(int segment, String name) {
        return segment >= 0 ? INDEX_LENGTH : 1 + name.length();
    }

    void shapeText(StringBuilder out, int entry) {
        if (parents[entry] >= 0) shapeText(out, parents[entry]);
        if (segments[entry] >= 0) out.append("[*]");
        else if (segments[entry] == KEY) out.append("{*}");
        else if (parents[entry] >= 0) segment(out, NAME, names[entry]);
        else out.append(names[entry]);
    }

    /** True for the key of a map entry, shown beside its value. */
    boolean isKey(int parent, int segment, String name) {
        return segment == NAME && targets[parent] instanceof Entry && name.equals("key");
    }

    private void grow() {
        resize(targets.length * 2);
    }

    private void resize(int capacity) {
        targets = Arrays.copyOf(targets, capacity);
        shapes = Arrays.copyOf(shapes, capacity);
        parents = Arrays.copyOf(parents, capacity);
        names = Arrays.copyOf(names, capacity);
        segments = Arrays.copyOf(segments, capacity);
        hashes = Arrays.copyOf(hashes, capacity);
        shapeHashes = Arrays.copyOf(shapeHashes, capacity);
        depths = Arrays.copyOf(depths, capacity);
        shares = Arrays.copyOf(shares, capacity);
        isVisited = Arrays.copyOf(isVisited, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
    }
}
