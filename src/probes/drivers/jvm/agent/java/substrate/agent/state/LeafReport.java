package substrate.agent.state;

import java.util.List;

import substrate.agent.json.JsonWriter;
import substrate.agent.json.Pieces;

/** Writes the result of a walk as a leaf update: everything, or the differences from the last one. */
final class LeafReport implements Leaves {
    private final LeafTable table;
    private final Child child;
    private final boolean isFull;
    private final StringBuilder path = new StringBuilder();
    private Pieces paths;
    private Pieces values;
    private Pieces changed;
    private Pieces added;
    private int pathOf = -1;
    private int parentLength;

    LeafReport(LeafTable table, Child child, boolean isFull, List<byte[]> spare) {
        this.table = table;
        this.child = child;
        this.isFull = isFull;
        table.begin(isFull);
        if (!isFull) return;
        paths = new Pieces(new StringBuilder("{\"kind\":\"full\",\"paths\":["), spare);
        values = new Pieces(new StringBuilder("],\"values\":["), spare);
    }

    @Override
    public boolean put(long hash, byte kind, long bits, Object text) {
        int slot = table.put(hash, kind, bits, kind == Leaf.TEXT ? text : null);
        if (slot == LeafTable.DOUBLE) return false;
        if (slot == LeafTable.SAME) return true;
        Object shown = kind == Leaf.REFERENCE ? child.referencePath() : text;
        if (isFull) {
            StringBuilder outPath = paths.end();
            StringBuilder outValue = values.end();
            if (slot > 0) {
                outPath.append(',');
                outValue.append(',');
            }
            JsonWriter.string(outPath, path());
            Leaf.write(outValue, kind, bits, shown);
        } else if (table.wasAdded()) {
            boolean isFirst = added == null;
            if (isFirst) added = new Pieces();
            StringBuilder out = next(added.end(), isFirst, slot);
            JsonWriter.string(out, path());
            Leaf.write(out.append(','), kind, bits, shown);
            out.append(']');
        } else {
            boolean isFirst = changed == null;
            if (isFirst) changed = new Pieces();
            StringBuilder out = next(changed.end(), isFirst, slot);
            Leaf.write(out, kind, bits, shown);
            out.append(']');
        }
        return true;
    }

    private static StringBuilder next(StringBuilder out, boolean isFirst, int slot) {
        return out.append(isFirst ? "[" : ",[").append(slot).append(',');
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

    /** The report is not sent: its arrays are released. */
    void release() {
        if (paths != null) paths.release();
        if (values != null) values.release();
    }

    Pieces finish() {
        int[] removed = table.finish();
        if (isFull) return closed(paths.append(values), "]}");
        if (changed == null && added == null && removed.length == 0) return closed(new Pieces(), "{\"kind\":\"same\"}");
        Pieces out = closed(new Pieces(), "{\"kind\":\"delta\",\"changed\":[");
        if (changed != null) out.append(changed);
        out.end().append("],\"added\":[");
        if (added != null) out.append(added);
        out.end().append("],\"removed\":[");
        for (int at = 0; at < removed.length; at++) out.end().append(at == 0 ? "" : ",").append(removed[at]);
        return closed(out, "]}");
    }

    private static Pieces closed(Pieces pieces, String end) {
        pieces.end().append(end);
        return pieces;
    }
}
