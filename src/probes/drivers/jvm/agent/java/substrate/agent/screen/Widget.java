package substrate.agent.screen;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import substrate.agent.json.JsonWriter;

/**
 * The facts of one component, as JSON that src/probes/insight/screen/screen-facts.ts describes. Holds only a weak
 * reference to the app.
 */
public class Widget {
    public final Memory memory;
    public final WeakReference<Object> component;
    public final List<Widget> children = new ArrayList<Widget>(0);
    public String text;
    public String tip;
    public Rows rows;
    private final String role;
    private final StringBuilder facts = new StringBuilder();

    /** `role`: the daemon's name for the kind. */
    protected Widget(String role, Object component, Memory memory) {
        this.role = role;
        this.memory = memory;
        this.component = new WeakReference<Object>(component);
    }

    /** Nothing is written for null. */
    public final void fact(String name, Object value) {
        if (value != null) factOrNull(name, value);
    }

    /** Null is written: there is a value, which is not known. */
    public final void factOrNull(String name, Object value) {
        facts.append(",\"").append(name).append("\":");
        JsonWriter.value(facts, value instanceof String ? Text.shorten((String) value, Text.MAX_TEXT) : value);
    }

    public final void flag(String name, boolean value) {
        if (value) fact(name, Boolean.TRUE);
    }

    /** Children are written as ids only. */
    void write(StringBuilder out) {
        fact("text", text);
        fact("tip", tip);
        text = tip = null;
        out.append("{\"id\":").append(memory.id).append(",\"role\":\"").append(role).append('"').append(facts);
        if (rows != null) rows.write(out.append(",\"rows\":"));
        char separator = '[';
        if (!children.isEmpty()) out.append(",\"children\":");
        for (Widget child : children) {
            out.append(separator).append(child.memory.id);
            separator = ',';
        }
        out.append(separator == '[' ? "}" : "]}");
    }
}
