package substrate.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.RootCandidate;

/** The roots that the daemon was told last: it is told again when they differ. */
final class SentCache {
    /** What the daemon takes; see captureResult in protocol.ts. */
    private static final int MAX_NAME = 2000;
    private static final int MAX_TEXT = 1000;
    /** Of all roots; it is kept. From what the heap may become: what is free comes and goes. */
    private static final int MAX_CHARACTERS =
        (int) Math.min(8L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 200);
    /** Their ids; null: nothing was told. */
    private List<String> lastRoots;

    void forget() {
        lastRoots = null;
    }

    void roots(StringBuilder out, List<RootCandidate> now) {
        if (areSame(now)) {
            out.append("null");
            return;
        }
        Set<String> before = new HashSet<String>(lastRoots == null ? Collections.<String>emptyList() : lastRoots);
        lastRoots = new ArrayList<String>();
        StringBuilder added = new StringBuilder();
        out.append("{\"order\":[");
        for (RootCandidate root : now) {
            out.append(lastRoots.isEmpty() ? "" : ",").append(root.id);
            lastRoots.add(root.id);
            if (!before.contains(root.id)) write(added.append(added.length() == 0 ? "" : ","), root);
        }
        out.append("],\"added\":[").append(added).append("]}");
    }

    private static void write(StringBuilder out, RootCandidate root) {
        // Where there are too many, some have to do without a name of their own.
        boolean hasRoom = out.length() < MAX_CHARACTERS;
        JsonWriter.string(out.append("{\"id\":").append(root.id).append(",\"kind\":"), root.kind);
        JsonWriter.value(out.append(",\"type\":"), hasRoom ? RequestHandler.cut(root.type, MAX_NAME) : null);
        JsonWriter.value(out.append(",\"name\":"), hasRoom ? RequestHandler.cut(root.name, MAX_TEXT) : null);
        JsonWriter.value(out.append(",\"where\":"), hasRoom ? RequestHandler.cut(root.where, MAX_NAME) : null);
        out.append('}');
    }

    private boolean areSame(List<RootCandidate> now) {
        if (lastRoots == null || lastRoots.size() != now.size()) return false;
        for (int at = 0; at < now.size(); at++) if (!now.get(at).id.equals(lastRoots.get(at))) return false;
        return true;
    }
}
