package substrate.agent.state;

import java.nio.file.Path;

import substrate.agent.read.Hash;
import substrate.agent.read.Rules;
import substrate.agent.read.Scalars;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Sink;
import substrate.agent.read.Texts;
import substrate.agent.vm.Pace;

/** The child that a walk reads now: its place, and whether it becomes a leaf or another object to visit. */
final class Child implements Sink {
    /** The number of children between two steps of the pace. */
    private static final int STEP = 128;
    static final String TOO_DEEP = "[deeper levels are not read]";

    private final Shapes shapes;
    private final Entries entries;
    private final SeenObjects seen;
    private final Pace pace;
    private final Leads leads;
    private Leaves leaves;
    private long deadline;
    private int steps;
    private int charactersPerLeaf = Integer.MAX_VALUE;
    /** The number of leaves since `start`. */
    private int count;
    /** The weight of these leaves. */
    private int used;
    private long allCharacters;

    private int parent;
    private int parentLength;
    /** The number of further leaves and objects that the parent may have. */
    private int allowance;
    private int segment;
    private String name;
    private long nameHash;
    private int reference;
    /** Map entries whose keys are deferred; null if none are. */
    private DeferredEntries keys;

    Child(Shapes shapes, Entries entries, SeenObjects seen, Pace pace, Leads leads) {
        this.pace = pace;
        this.leads = leads;
        this.shapes = shapes;
        this.entries = entries;
        this.seen = seen;
    }

    void start(Leaves into, long until) {
        leaves = into;
        deadline = until;
        count = 0;
        used = 0;
        allCharacters = 0;
    }

    /** Where paths and texts have more characters than this on average, a leaf counts as several. */
    void weigh(int characters) {
        charactersPerLeaf = characters;
    }

    /** From now on map keys that are objects are deferred: usually they are shown elsewhere. */
    void deferKeys(DeferredEntries entries) {
        keys = entries;
    }

    void end() {
        keys = null;
        leaves = null;
        name = null;
    }

    int count() {
        return count;
    }

    int used() {
        return used;
    }

    void of(int entry, int granted) {
        parent = entry;
        parentLength = entries.lengths[entry];
        allowance = granted;
    }

    int allowance() {
        return allowance;
    }

    int parent() {
        return parent;
    }

    /** The path of the current leaf is this one and its own segment. */
    void parentPath(StringBuilder out) {
        entries.path(out, parent);
    }

    void segment(StringBuilder out) {
        Entries.segment(out, segment, name);
    }

    /** The path of the current reference. */
    String referencePath() {
        StringBuilder out = new StringBuilder();
        entries.path(out, reference);
        return out.toString();
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
        return Hash.join(entries.hashes[parent], segment >= 0 ? Hash.of(segment) : nameHash);
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
            Object inner = hops < Rules.maxWrappers ? shape.unwrap(target) : null;
            if (inner == null) return put(Leaf.NULL, 0, null);
            shape = inner == target ? shape.asItself() : shapes.of(inner.getClass());
            target = inner;
        }
        if (shape.kind == Shape.SCALAR) return scalar(shape, target);
        if (shape.kind != Shape.NOTHING) return object(target, shape);
        leads.meet(target);
        return true;
    }

    private boolean scalar(Shape shape, Object value) {
        switch (shape.scalar) {
            case Scalars.WHOLE: return whole(Scalars.whole(value));
            case Scalars.DECIMAL: return decimal(((Number) value).doubleValue());
            case Scalars.SINGLE: return single((Float) value);
            case Scalars.FLAG: return flag(Scalars.flag(value));
            case Scalars.TEXT: return text(Scalars.text(value));
            // The value may be kept, and a Path holds its file system: its text is put instead.
            case Scalars.VALUE: return value instanceof Path ? text(Scalars.text(value)) : put(Leaf.TEXT, 0, value);
            case Scalars.SECRET: return secret(Shapes.nameOf(value));
            default: return text(shape.liveText(value));
        }
    }

    private boolean secret(String type) {
        return put(Leaf.SECRET, Hash.of(type), type);
    }

    private boolean text(String text) {
        if (text.length() <= Rules.maxText) return put(Leaf.TEXT, 0, text);
        return put(Leaf.LONG_TEXT, Texts.hashOfLong(text), text);
    }

    private boolean object(Object target, Shape shape) {
        if (entries.depths[parent] >= Rules.maxDepth) return put(Leaf.TEXT, 0, TOO_DEEP);
        int known = shape.isEmptyValue(target) ? Entries.NO_PARENT : seen.find(target);
        if (known >= 0 && !(shape.isFlat && entries.parents[known] >= 0)) {
            reference = known;
            return put(Leaf.REFERENCE, entries.hashes[known], null);
        }
        if (shape.isInner(target)) return true;
        if (keys != null && known < 0 && entries.isKey(parent, segment, name)) {
            keys.add(parent, 0);
            return true;
        }
        if (allowance <= 0) return false;
        if (shape.showsNothing() && !shape.isOfApp) return true;
        // An object costs as much as a leaf, even if it has no leaves.
        allowance--;
        step();
        int entry = entries.addChild(parent, segment, name, hashHere(), target, shape, entries.shares[parent]);
        if (known < 0 && seen.find(target) < 0) seen.add(target, entry);
        return true;
    }

    private boolean put(byte kind, long bits, Object text) {
        if (allowance <= 0) return false;
        Object shown = kind == Leaf.REFERENCE ? "[ref]" : text;
        if (!leaves.put(hashHere(), kind, bits, shown)) return true;
        int weight = weight(kind, shown);
        allowance -= weight;
        used += weight;
        count++;
        step();
        return true;
    }

    /** Nothing more is allowed when the time is over. */
    private void step() {
        if (++steps < STEP) return;
        steps = 0;
        pace.step();
        if (isLate()) allowance = 0;
    }

    boolean isLate() {
        return pace.isPast(deadline);
    }

    private int weight(byte kind, Object text) {
        int characters = parentLength + Entries.length(segment, name);
        if (kind == Leaf.REFERENCE) characters += entries.lengths[reference];
        else if (text != null) characters += Leaf.length(text);
        allCharacters += characters;
        return (int) Math.max(1, allCharacters / charactersPerLeaf - used);
    }
}
