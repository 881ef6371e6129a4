package substrate.agent.state;

import substrate.agent.json.JsonWriter;
import substrate.agent.read.Texts;

/** Writes what a walk found as a leaf update: everything, or what differs from the last one. */
final class LeafReport implements Leaves {
    private static final CharSequence NOTHING_NEW = "{\"kind\":\"same\"}";

    private final LeafTable table;
    private final Child child;
    private final boolean isFull;
    private final Texts texts = new Texts();
    private final StringBuilder path = new StringBuilder();
    private StringBuilder paths;
    private StringBuilder values;
    private StringBuilder changed;
    private StringBuilder added;
    private int pathOf = -1;
    private int parentLength;

    LeafReport(LeafTable table, Child child, boolean isFull) {
        this.table = table;
        this.child = child;
        this.isFull = isFull;
        table.begin(isFull);
        if (!isFull) return;
        paths = new StringBuilder(4096).append("{\"kind\":\"full\",\"paths\":[");
        values = new StringBuilder(4096);
    }

    @Override
    public boolean put(long hash, byte kind, long bits, Object text) {
        int slot = table.put(hash, kind, bits, kind == Leaf.TEXT ? text : null);
        if (slot == LeafTable.DOUBLE) return false;
        if (slot == LeafTable.SAME) return true;
        Object shown = kind == Leaf.REFERENCE ? child.referenceText() : text;
        if (isFull) {
            if (slot > 0) {
                paths.append(',');
                values.append(',');
            }
            JsonWriter.string(paths, path());
            Leaf.write(values, kind, bits, shown, texts);
        } else if (table.wasAdded()) {
            added = next(added, slot);
            JsonWriter.string(added, path());
            Leaf.write(added.append(','), kind, bits, shown, texts);
            added.append(']');
        } else {
            changed = next(changed, slot);
            Leaf.write(changed, kind, bits, shown, texts);
            changed.append(']');
        }
        return true;
    }

    private static StringBuilder next(StringBuilder list, int slot) {
        StringBuilder out = list == null ? new StringBuilder() : list.append(',');
        return out.append('[').append(slot).append(',');
    }

    /** Leaves of one object come one after the other: the path of the object is made once. */
    private StringBuilder path() {
        if (pathOf != child.parent()) {
            pathOf = child.parent();
            path.setLength(0);
            child.parentPath(path);
            parentLength = path.length();
        }
        path.setLength(parentLength);
        child.segment(path);
        return path;
    }

    CharSequence finish() {
        int[] removed = table.finish();
        if (isFull) return paths.append("],\"values\":[").append(values).append("]}");
        if (changed == null && added == null && removed.length == 0) return NOTHING_NEW;
        StringBuilder out = new StringBuilder("{\"kind\":\"delta\",\"changed\":[");
        if (changed != null) out.append(changed);
        out.append("],\"added\":[");
        if (added != null) out.append(added);
        out.append("],\"removed\":[");
        for (int at = 0; at < removed.length; at++) out.append(at == 0 ? "" : ",").append(removed[at]);
        return out.append("]}");
    }
}
