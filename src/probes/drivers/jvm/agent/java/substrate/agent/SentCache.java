package substrate.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import substrate.agent.act.ActionInfo;
import substrate.agent.act.ActionSource;
import substrate.agent.act.Parameter;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.RootCandidate;

/** The roots and actions that the daemon was told last: it is told again when they differ. */
final class SentCache {
    /** What the daemon takes; see captureResult in protocol.ts. */
    private static final int MAX_BEAN_ACTIONS = 200;
    private static final int MAX_PARAMETERS = 64;
    private static final int MAX_BINDING = 4000;
    private static final int MAX_NAME = 2000;
    private static final int MAX_TEXT = 1000;
    private static final int MAX_WORD = 300;
    /** Of all roots, and of all actions; it is kept. From what the heap may become: what is free comes and goes. */
    private static final int MAX_CHARACTERS =
        (int) Math.min(8L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 200);
    /** Their ids; null: nothing was told. */
    private List<String> lastRoots;
    private String actions = "";
    private List<ActionInfo> lastActions = Collections.emptyList();

    void forget() {
        lastRoots = null;
        actions = "";
        lastActions = Collections.emptyList();
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

    void actions(StringBuilder out, ActionSource beans) {
        List<ActionInfo> now = new ArrayList<ActionInfo>();
        add(now, beans, MAX_BEAN_ACTIONS);
        // Most of the time the same objects: then nothing needs to be written down to see it.
        if (!actions.isEmpty() && areSame(now, lastActions)) {
            out.append("null");
            return;
        }
        StringBuilder text = new StringBuilder("[");
        for (ActionInfo action : now) {
            if (text.length() > MAX_CHARACTERS) break;
            if (text.length() > 1) text.append(',');
            write(text, action);
        }
        String told = text.append(']').toString();
        out.append(told.equals(actions) ? "null" : told);
        actions = told;
        lastActions = now;
    }

    private static void add(List<ActionInfo> all, ActionSource source, int max) {
        int end = all.size() + max;
        for (ActionInfo action : actionsOf(source)) {
            if (all.size() == end) return;
            if (action.binding.length() <= MAX_BINDING && action.name.length() <= MAX_NAME
                && action.parameters.size() <= MAX_PARAMETERS) all.add(action);
        }
    }

    /** Where actions cannot be listed, the state is still worth having. */
    private static List<ActionInfo> actionsOf(ActionSource source) {
        try {
            if (source != null) return source.actions();
        } catch (Throwable failed) {
            // None for now; they are asked for again at the next capture.
        }
        return Collections.emptyList();
    }

    private static boolean areSame(List<ActionInfo> one, List<ActionInfo> other) {
        if (one.size() != other.size()) return false;
        for (int at = 0; at < one.size(); at++) if (one.get(at) != other.get(at)) return false;
        return true;
    }

    private static void write(StringBuilder out, ActionInfo action) {
        JsonWriter.string(out.append("{\"binding\":"), action.binding);
        JsonWriter.string(out.append(",\"name\":"), action.name);
        char separator = '[';
        out.append(",\"parameters\":");
        for (Parameter parameter : action.parameters) {
            JsonWriter.string(out.append(separator).append("{\"name\":"), RequestHandler.cut(parameter.name, MAX_WORD));
            JsonWriter.value(out.append(",\"type\":"), parameter.type);
            out.append(",\"required\":").append(parameter.required);
            JsonWriter.value(out.append(",\"description\":"), RequestHandler.cut(parameter.description, MAX_TEXT));
            out.append('}');
            separator = ',';
        }
        out.append(separator == '[' ? "[]" : "]");
        JsonWriter.string(out.append(",\"returns\":"), action.returns);
        JsonWriter.string(out.append(",\"effect\":"), action.effect);
        JsonWriter.string(out.append(",\"description\":"), RequestHandler.cut(action.description, MAX_NAME));
        out.append('}');
    }
}
