package substrate.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.RootCandidate;

/** The roots that were sent to the daemon last: they are sent again when they differ. */
final class SentCache {
    /** The daemon's limit; see captureResult in protocol.ts. */
    private static final int MAX_NAME = 2000;
    private static final int MAX_TEXT = 1000;
    /** Limit for all roots together, which are kept. It depends on the maximal heap: free memory varies. */
    private static final int MAX_CHARACTERS =
        (int) Math.min(8L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 200);
    /** Ids of the roots; null if nothing was sent. */
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
        // With too many roots, some are sent without their names.
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
