package substrate.agent.state;

import java.util.List;

import substrate.agent.read.Hash;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Scalars;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Sink;
import substrate.agent.read.Texts;

/**
 * Goes breadth first through all that the roots hold. Deterministic while nothing changes; keeps nothing afterwards.
 */
final class Walk implements Sink {
    static final int MAX_DEPTH = 32;
    static final String TOO_DEEP = "[deeper levels are not read]";
    /** A collection with more elements has a share of its own. */
    private static final int SMALL_COLLECTION = 16;
    private static final int MAX_ROUNDS = 31;

    private final Shapes shapes;
    private final ObjectReader reader;
    private final Entries entries = new Entries();
    private final SeenObjects seen = new SeenObjects();
    private final Shares shares = new Shares();
    private Leaves leaves;
    private Holders holders;
    private int cap;
    private int head;
    private int count;
    private long leftOut;
    private Aside aside = new Aside();
    /** What was put aside is being read. */
    private boolean isAgain;

    // The child that is being read.
    private int current;
    private int allowance;
    private int segment;
    private String name;
    private long nameHash;
    private int reference;

    Walk(Shapes shapes, ObjectReader reader) {
        this.shapes = shapes;
        this.reader = reader;
    }

    /**
     * `first`: roots that are there from the start. `later`: roots that are known; what they share with the first is
     * shown there.
     */
    void run(List<Found> first, List<Found> later, int limit, Leaves into, Holders noted) {
        leaves = into;
        holders = noted;
        cap = limit;
        count = 0;
        leftOut = 0;
        try {
            readRoots(first, later);
            readAside();
            countLeftOut();
        } finally {
            clear();
        }
    }

    /**
     * Gives those candidates to the book that nothing shows, neither the roots nor a candidate before. Reports
     * nothing.
     */
    void choose(List<Found> first, List<Found> later, List<Found> candidates, RootBook book, int limit) {
        leaves = Leaves.NOWHERE;
        cap = limit;
        count = 0;
        try {
            readRoots(first, later);
            readAside();
            for (Found candidate : candidates) {
                Object target = candidate.target();
                if (target == null || seen.find(target) >= 0) continue;
                book.keep(candidate);
                addRoot(candidate, limit);
                readAll();
                readAside();
            }
        } finally {
            clear();
        }
    }

    private void readRoots(List<Found> first, List<Found> later) {
        int share = cap / (2 * Math.max(1, first.size() + later.size()));
        for (Found root : first) addRoot(root, share);
        int known = entries.count;
        int[] reserved = new int[later.size()];
        for (int at = 0; at < reserved.length; at++) reserved[at] = addRoot(later.get(at), share);
        int afterRoots = entries.count;
        while (head < known) visit(head++, 0);
        head = afterRoots;
        readAll();
        for (int entry : reserved) {
            if (entry >= 0) visit(entry, 0);
            readAll();
        }
    }

    private void countLeftOut() {
        for (; head < entries.count; head++) aside.add(head, 0);
        for (int at = 0; at < aside.count; at++) {
            int entry = aside.entries[at];
            int children = ObjectReader.estimate(entries.targets[entry], entries.shapes[entry]);
            leftOut += Math.max(1, children - aside.positions[at]);
        }
    }

    int count() {
        return count;
    }

    /** Leaves that were seen but not read; at least so many. */
    int leftOut() {
        return (int) Math.min(Integer.MAX_VALUE, leftOut);
    }

    /** The path of the leaf that is being put is this one and its own segment. */
    void parentPath(StringBuilder out) {
        entries.path(out, current);
    }

    int currentEntry() {
        return current;
    }

    void segment(StringBuilder out) {
        Entries.segment(out, segment, name);
    }

    private void clear() {
        aside = new Aside();
        head = 0;
        isAgain = false;
        entries.clear();
        seen.clear();
        shares.clear();
        shapes.forgetLast();
        leaves = null;
        holders = null;
        name = null;
    }

    private int addRoot(Found root, int share) {
        Object target = root.target();
        if (target == null || seen.find(target) >= 0) return -1;
        Shape shape = root.isStatic ? shapes.ofStatics((Class<?>) target) : shapes.of(target.getClass());
        if (shape.kind == Shape.WRAPPER) {
            Object inner = shape.unwrap(target);
            if (inner == null) return -1;
            shape = inner == target ? shape.asItself() : shapes.of(inner.getClass());
            target = inner;
        }
        if (shape.kind != Shape.PARTS) return -1;
        int entry = entries.addRoot(root.name, root.label, target, shape, shares.open(share));
        seen.add(target, entry);
        return entry;
    }

    private void readAll() {
        while (head < entries.count) visit(head++, 0);
    }

    private void readAside() {
        for (int round = 0; round < MAX_ROUNDS && aside.count > 0 && count < cap; round++) {
            shares.doubleAll();
            Aside again = aside;
            aside = new Aside();
            isAgain = true;
            for (int at = 0; at < again.count; at++) visit(again.entries[at], again.positions[at]);
            isAgain = false;
            readAll();
        }
    }

    private void visit(int entry, int from) {
        Object target = entries.targets[entry];
        Shape shape = entries.shapes[entry];
        current = entry;
        if (from == 0 && !isAgain) {
            if (holders != null && shape.isOfApp) holders.note(entries, entry);
            if (ObjectReader.estimate(target, shape) > SMALL_COLLECTION && entries.parents[entry] >= 0)
                entries.shares[entry] = shares.openBelow(entries.shares[entry]);
        }
        int share = entries.shares[entry];
        int granted = Math.min(cap - count, shares.left(share));
        allowance = granted;
        int refusedAt = reader.read(target, shape, entries.hashes[entry], from, this);
        leftOut += reader.leftOut();
        shares.use(share, granted - allowance);
        if (refusedAt != ObjectReader.DONE) aside.add(entry, refusedAt);
    }

    @Override
    public void name(String text, long hash) {
        segment = Entries.NAME;
        name = text;
        nameHash = hash;
    }

    @Override
    public void index(int index) {
        segment = index;
        name = null;
    }

    @Override
    public void key(String key) {
        segment = Entries.KEY;
        name = key;
        nameHash = Hash.of(key);
    }

    private long hashHere() {
        return Hash.join(entries.hashes[current], segment >= 0 ? Hash.of(segment) : nameHash);
    }

    @Override
    public boolean whole(long value) {
        return put(Leaf.WHOLE, value, null);
    }

    @Override
    public boolean decimal(double value) {
        return put(Leaf.DECIMAL, Double.doubleToLongBits(value), null);
    }

    @Override
    public boolean single(float value) {
        return put(Leaf.SINGLE, Float.floatToIntBits(value), null);
    }

    @Override
    public boolean flag(boolean value) {
        return put(value ? Leaf.TRUE : Leaf.FALSE, 0, null);
    }

    @Override
    public boolean value(Object value) {
        if (value == null) return put(Leaf.NULL, 0, null);
        if (value instanceof String) return text((String) value);
        Object target = value;
        Shape shape = shapes.of(target.getClass());
        for (int hops = 0; shape.kind == Shape.WRAPPER; hops++) {
            Object inner = hops < 8 ? shape.unwrap(target) : null;
            if (inner == null) return put(Leaf.NULL, 0, null);
            shape = inner == target ? shape.asItself() : shapes.of(inner.getClass());
            target = inner;
        }
        if (shape.kind == Shape.SCALAR) return scalar(shape, target);
        return shape.kind == Shape.NOTHING || child(target, shape);
    }

    private boolean scalar(Shape shape, Object value) {
        switch (shape.scalar) {
            case Scalars.WHOLE: return whole(Scalars.whole(value));
            case Scalars.DECIMAL: return decimal(((Number) value).doubleValue());
            case Scalars.SINGLE: return single((Float) value);
            case Scalars.FLAG: return flag(Scalars.flag(value));
            case Scalars.TEXT: return text(Scalars.text(value));
            case Scalars.VALUE: return put(Leaf.TEXT, 0, value);
            default: return text(shape.liveText(value));
        }
    }

    private boolean text(String text) {
        if (text.length() <= Texts.MAX_TEXT) return put(Leaf.TEXT, 0, text);
        return put(Leaf.LONG_TEXT, (long) text.hashCode() << 32 | text.length(), text);
    }

    private boolean child(Object target, Shape shape) {
        if (entries.depths[current] >= MAX_DEPTH) return put(Leaf.TEXT, 0, TOO_DEEP);
        int known = seen.find(target);
        if (known >= 0 && !(shape.isFlat && entries.parents[known] >= 0)) {
            reference = known;
            return put(Leaf.REFERENCE, entries.hashes[known], null);
        }
        if (allowance <= 0) return false;
        if (shape.showsNothing() && !shape.isOfApp) return true;
        // An object costs as much as a leaf, even if it turns out to have none.
        allowance--;
        int entry = entries.addChild(current, segment, name, hashHere(), target, shape, entries.shares[current]);
        if (known < 0) seen.add(target, entry);
        return true;
    }

    private boolean put(byte kind, long bits, Object text) {
        if (allowance <= 0) return false;
        Object shown = kind == Leaf.REFERENCE ? "[ref]" : text;
        if (!leaves.put(hashHere(), kind, bits, shown)) return true;
        allowance--;
        count++;
        return true;
    }

    /** The text of the reference that is being put. */
    String referenceText() {
        return "[ref] " + entries.shownPath(reference);
    }
}
