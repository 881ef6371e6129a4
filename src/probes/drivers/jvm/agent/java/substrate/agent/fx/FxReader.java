package substrate.agent.fx;

import java.util.List;
import substrate.agent.health.Discarded;
import substrate.agent.screen.RowReader;
import substrate.agent.screen.Text;

/** Reads one node of a scene. Runs on the thread of JavaFX. */
final class FxReader {
    private static final int MAX_DEPTH = 4;

    private FxReader() {}

    static void read(Object node, FxWidget parent, FxSnapshot snapshot) {
        FxKind kind = FxKind.of(node);
        if (kind == FxKind.IGNORED || snapshot.isFull() || !Fx.flag(node, "isVisible")) return;
        String type = typeName(node.getClass());
        // A pure layout node has no facts of its own.
        if (kind == FxKind.GROUP && type == null) {
            snapshot.pushAll(partsOf(node), parent);
            return;
        }
        String message = kind == FxKind.DIALOG ? messageOf(node) : "";
        String role = kind == FxKind.DIALOG && message.isEmpty() ? FxKind.GROUP.role : kind.role;
        FxWidget widget = snapshot.add(role, kind, node, parent);
        if (!message.isEmpty()) widget.text = message;
        widget.fact("type", type);
        place(node, widget, parent);
        widget.flag("disabled", Fx.flag(node, "isDisabled"));
        widget.fact("name", Fx.text(node, "getId"));
        widget.fact("accessible", Fx.text(node, "getAccessibleText"));
        String tip = Fx.text(Fx.get(node, "getTooltip"), "getText");
        if (tip != null) widget.tip = Text.plain(tip);
        readControl(node, widget, snapshot);
    }

    private static void readControl(Object node, FxWidget widget, FxSnapshot snapshot) {
        switch (widget.kind) {
            case LABEL:
                widget.text = labelText(node);
                Object named = Fx.get(node, "getLabelFor");
                if (named != null) widget.fact("labelFor", snapshot.registry.of(named).id);
                return;
            case FLOW:
                widget.text = flowText(node);
                return;
            case BUTTON: case LINK:
                widget.text = labelText(node);
                return;
            case TOGGLE: case CHECK: case RADIO:
                readToggle(node, widget);
                return;
            case TEXT: case PASSWORD:
                if (widget.kind == FxKind.PASSWORD) widget.flag("secret", true);
                else widget.fact("value", textOf(node));
                widget.flag("editable", Fx.flag(node, "isEditable"));
                widget.flag("submits", Fx.get(node, "getOnAction") != null);
                // The prompt of an empty field is what a person would call the field.
                if (widget.tip == null) widget.tip = Fx.text(node, "getPromptText");
                return;
            case DATE:
                Object date = Fx.get(node, "getValue");
                widget.factOrNull("value", date == null ? null : date.toString());
                return;
            case SLIDER:
                widget.fact("value", whole(Fx.number(node, "getValue")));
                String from = String.valueOf(whole(Fx.number(node, "getMin")));
                widget.fact("range", from + " to " + whole(Fx.number(node, "getMax")));
                widget.flag("editable", true);
                return;
            case PROGRESS:
                boolean isEndless = Fx.flag(node, "isIndeterminate");
                double done = Math.round(Fx.number(node, "getProgress") * 1000) / 1000.0;
                widget.fact("value", isEndless ? "running" : whole(done));
                return;
            case SPINNER:
                widget.factOrNull("value", RowReader.textOrName(Fx.get(node, "getValue")));
                widget.flag("editable", true);
                return;
            case CHOICE: case CHOICE_BOX: case LIST: case TABLE: case TREE_TABLE: case TREE:
                snapshot.pushRows(widget, FxRows.of(widget.kind, node));
                return;
            case TABS:
                Object tab = Fx.get(Fx.get(node, "getSelectionModel"), "getSelectedItem");
                snapshot.push(Fx.get(tab, "getContent"), widget);
                snapshot.pushRows(widget, FxRows.of(widget.kind, node));
                return;
            case MENU:
                widget.text = labelText(node);
                widget.flag("presses", Fx.get(node, "getOnAction") != null);
                FxMenus.read(snapshot, Fx.list(node, "getItems"), widget);
                return;
            case MENU_BAR:
                FxMenus.read(snapshot, Fx.list(node, "getMenus"), widget);
                return;
            case TITLED:
                boolean isOpen = Fx.flag(node, "isExpanded");
                widget.text = labelText(node);
                widget.fact("border", widget.text);
                widget.fact("value", isOpen);
                widget.flag("selected", isOpen);
                if (isOpen) snapshot.push(Fx.get(node, "getContent"), widget);
                return;
            case SCROLL:
                snapshot.push(Fx.get(node, "getContent"), widget);
                return;
            default:
                snapshot.pushAll(partsOf(node), widget);
        }
    }

    /** The items that the app gave to a bar or a split pane; otherwise its children. */
    private static List<?> partsOf(Object node) {
        List<?> items = Fx.list(node, "getItems");
        if (items.isEmpty()) items = Fx.list(node, "getButtons");
        return items.isEmpty() ? Fx.list(node, "getChildrenUnmodifiable") : items;
    }

    private static void readToggle(Object node, FxWidget widget) {
        boolean isOn = Fx.flag(node, "isSelected");
        widget.text = labelText(node);
        widget.fact("value", isOn);
        widget.flag("selected", isOn);
        Object group = Fx.get(node, "getToggleGroup");
        if (group != null) widget.fact("group", System.identityHashCode(group) | 1);
    }

    private static String messageOf(Object dialog) {
        String header = Fx.text(dialog, "getHeaderText");
        String content = Fx.text(dialog, "getContentText");
        StringBuilder message = new StringBuilder(header == null ? "" : header);
        if (content != null && !content.isEmpty()) message.append(message.length() > 0 ? "\n" : "").append(content);
        return Text.shorten(message.toString(), Text.MAX_TEXT);
    }

    /** Its own text, or the first text in its graphic. */
    static String labelText(Object labelled) {
        String own = FxMenus.textOf(labelled);
        return own.isEmpty() ? firstText(Fx.get(labelled, "getGraphic"), 0) : own;
    }

    private static String textOf(Object field) {
        String text = Fx.text(field, "getText");
        return text == null ? "" : text;
    }

    static String firstText(Object node, int depth) {
        if (node == null || depth > MAX_DEPTH) return "";
        FxKind kind = FxKind.of(node);
        if (kind == FxKind.LABEL) return labelText(node);
        if (kind == FxKind.FLOW) return flowText(node);
        for (Object child : Fx.list(node, "getChildrenUnmodifiable")) {
            String text = firstText(child, depth + 1);
            if (!text.isEmpty()) return text;
        }
        return "";
    }

    private static String flowText(Object flow) {
        StringBuilder text = new StringBuilder();
        for (Object child : Fx.list(flow, "getChildrenUnmodifiable"))
            if (FxKind.of(child) == FxKind.LABEL) text.append(labelText(child));
        return Text.shorten(text.toString(), Text.MAX_TEXT);
    }

    /** The class name if it is the app's; null otherwise. */
    static String typeName(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("javafx.") || name.startsWith("com.sun.javafx.")) return null;
        String simple = name.substring(1 + Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')));
        return simple.isEmpty() || Character.isDigit(simple.charAt(0)) ? null : simple;
    }

    private static void place(Object node, FxWidget widget, FxWidget parent) {
        try {
            Object bounds = Fx.call(node, "localToScene", Fx.get(node, "getLayoutBounds"));
            widget.left = (int) Fx.number(bounds, "getMinX");
            widget.top = (int) Fx.number(bounds, "getMinY");
            widget.fact("x", widget.left - parent.left);
            widget.fact("y", widget.top - parent.top);
            widget.fact("width", (int) Fx.number(bounds, "getWidth"));
            widget.fact("height", (int) Fx.number(bounds, "getHeight"));
        } catch (Exception e) {
            // The node is reported without a position.
            Discarded.count("FxReader.place", e);
        }
    }

    /** Writes a whole number without a fraction. */
    static Object whole(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Object) (long) value : (Object) value;
    }
}
