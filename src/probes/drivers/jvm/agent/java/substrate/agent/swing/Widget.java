package substrate.agent.swing;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import substrate.agent.json.JsonWriter;

/**
 * What was seen of one component, as JSON that src/probes/insight/screen/screen-facts.ts describes. Holds nothing of
 * the app but a weak reference.
 */
final class Widget {
    final Kind kind;
    final Memory memory;
    final WeakReference<Object> component;
    final WeakReference<java.awt.Window> window;
    final List<Widget> children = new ArrayList<Widget>(0);
    String text;
    String tip;
    RowReader.Rows rows;
    private final StringBuilder facts = new StringBuilder();

    Widget(Kind kind, Object component, Memory memory, WeakReference<java.awt.Window> window) {
        this.kind = kind;
        this.memory = memory;
        this.component = new WeakReference<Object>(component);
        this.window = window;
    }

    /** Null: there is none. */
    void fact(String name, Object value) {
        if (value != null) factOrNull(name, value);
    }

    /** Null: there is one, which is not known. */
    void factOrNull(String name, Object value) {
        facts.append(",\"").append(name).append("\":");
        JsonWriter.value(facts, value instanceof String ? Text.shorten((String) value, Text.MAX_TEXT) : value);
    }

    void flag(String name, boolean value) {
        if (value) fact(name, Boolean.TRUE);
    }

    /** Without its children, but for their numbers. */
    void write(StringBuilder out) {
        fact("text", text);
        fact("tip", tip);
        text = tip = null;
        out.append("{\"id\":").append(memory.id).append(",\"role\":\"").append(kind.role).append('"').append(facts);
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
