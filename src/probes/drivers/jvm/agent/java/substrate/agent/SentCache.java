package substrate.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import substrate.agent.act.ActionInfo;
import substrate.agent.act.ActionSource;
import substrate.agent.act.Parameter;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Root;

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
    /** null: nothing was told. */
    private List<Root> lastRoots;
    private String actions = "";
    private List<ActionInfo> lastActions = Collections.emptyList();

    void forget() {
        lastRoots = null;
        actions = "";
        lastActions = Collections.emptyList();
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
        out.append(",\"operations\":[");
        String comma = "";
        for (String[][] operation : action.operations) {
            JsonWriter.value(out.append(comma).append("{\"names\":"), operation[0]);
            JsonWriter.value(out.append(",\"types\":"), operation[1]);
            out.append('}');
            comma = ",";
        }
        out.append("]}");
    }
}
