package substrate.agent;

import java.util.List;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Root;

/** The roots that the daemon was told last: it is told again when they differ. */
final class SentCache {
    /** What the daemon takes; see captureResult in protocol.ts. */
    private static final int MAX_NAME = 2000;
    private static final int MAX_TEXT = 1000;
    /** Of all roots; it is kept. From what the heap may become: what is free comes and goes. */
    private static final int MAX_CHARACTERS =
        (int) Math.min(8L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 200);
    /** null: nothing was told. */
    private List<Root> lastRoots;

    void forget() {
        lastRoots = null;
    }

    void roots(StringBuilder out, List<Root> now) {
        // Nothing is written down to see that they are the same.
        if (lastRoots != null && areSameRoots(now, lastRoots)) {
            out.append("null");
            return;
        }
        lastRoots = now;
        int start = out.length();
        char separator = '[';
        for (Root root : now) {
            if (out.length() - start > MAX_CHARACTERS) break;
            if (root.name.length() > MAX_TEXT) continue;
            JsonWriter.string(out.append(separator).append("{\"name\":"), root.name);
            JsonWriter.string(out.append(",\"origin\":"), RequestHandler.cut(root.origin, MAX_NAME));
            JsonWriter.value(out.append(",\"label\":"), RequestHandler.cut(root.label, MAX_TEXT));
            out.append('}');
            separator = ',';
        }
        out.append(separator == '[' ? "[]" : "]");
    }

    private static boolean areSameRoots(List<Root> one, List<Root> other) {
        if (one.size() != other.size()) return false;
        for (int at = 0; at < one.size(); at++) if (!isSame(one.get(at), other.get(at))) return false;
        return true;
    }

    private static boolean isSame(Root one, Root other) {
        boolean isSameLabel = one.label == null ? other.label == null : one.label.equals(other.label);
        return isSameLabel && one.name.equals(other.name) && one.origin.equals(other.origin);
    }
}
