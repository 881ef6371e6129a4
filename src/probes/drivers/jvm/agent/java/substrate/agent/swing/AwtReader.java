package substrate.agent.swing;

import java.awt.Component;
import java.lang.reflect.Method;
import java.util.Vector;
import substrate.agent.health.Discarded;
import substrate.agent.screen.Fields;
import substrate.agent.screen.Rows;
import substrate.agent.screen.Text;

/** Reads the controls that AWT draws itself, and its menus. Runs on the event thread. */
final class AwtReader {
    private static final int MAX_DEPTH = 6;
    private static final int MAX_ROWS = 200;

    private AwtReader() {}

    static void read(Component component, SwingWidget widget) {
        switch (widget.kind) {
            case AWT_LABEL:
                widget.text = Text.plain(Fields.text(component, "java.awt.Label.text"));
                break;
            case AWT_BUTTON:
                widget.text = textOf(component);
                break;
            case AWT_CHECK:
                widget.text = textOf(component);
                widget.fact("value", Fields.flag(component, "java.awt.Checkbox.state"));
                break;
            case AWT_CHOICE:
                widget.rows = rows(Fields.of(component, "java.awt.Choice.pItems"));
                widget.rows.select(Fields.number(component, "java.awt.Choice.selectedIndex"));
                break;
            case AWT_LIST:
                widget.rows = rows(Fields.of(component, "java.awt.List.items"));
                Object selected = Fields.of(component, "java.awt.List.selected");
                if (selected instanceof int[] && ((int[]) selected).length > 0)
                    widget.rows.select(((int[]) selected)[0]);
                break;
            default:
                widget.flag("editable", Fields.flag(component, "java.awt.TextComponent.editable"));
                widget.flag("submits", Fields.of(component, "java.awt.TextField.actionListener") != null);
                if (isSecret(component)) widget.flag("secret", true);
                else widget.fact("value", text(component));
        }
    }

    static String textOf(Object control) {
        String field = control instanceof java.awt.MenuItem ? "java.awt.MenuItem.label"
            : control instanceof java.awt.Button ? "java.awt.Button.label" : "java.awt.Checkbox.label";
        return Text.plain(Fields.text(control, field));
    }

    private static boolean isSecret(Component field) {
        return field instanceof java.awt.TextField
            && !Character.valueOf('\0').equals(Fields.of(field, "java.awt.TextField.echoChar"));
    }

    /**
     * The field has the text that the app set, its peer the text that the person typed. The getter would take the
     * component's lock.
     */
    private static String text(Component field) {
        try {
            Object peer = Fields.of(field, "java.awt.Component.peer");
            Fields.open(peer.getClass());
            Method getText = peer.getClass().getMethod("getText");
            getText.setAccessible(true);
            Object text = getText.invoke(peer);
            if (text instanceof String) return (String) text;
        } catch (Exception e) {
            // The peer is of an unknown class, or not accessible.
            Discarded.count("AwtReader.text", e);
        }
        return Fields.text(field, "java.awt.TextComponent.text");
    }

    private static Rows rows(Object items) {
        Rows rows = new Rows();
        if (!(items instanceof Vector)) return rows;
        rows.total = ((Vector<?>) items).size();
        for (Object item : ((Vector<?>) items).toArray())
            if (rows.shown.size() < MAX_ROWS) rows.shown.add(Text.plain(String.valueOf(item)));
        return rows;
    }

    /** Adds a widget for each menu of a frame. */
    static void readMenus(Component frame, SwingWidget parent, WindowSnapshot snapshot) {
        Object menus = Fields.of(Fields.of(frame, "java.awt.Frame.menuBar"), "java.awt.MenuBar.menus");
        if (menus instanceof Vector)
            for (Object menu : ((Vector<?>) menus).toArray()) readItem(menu, parent, snapshot, 0);
    }

    private static void readItem(Object item, SwingWidget parent, WindowSnapshot snapshot, int depth) {
        Object items = Fields.of(item, "java.awt.Menu.items");
        boolean isMenu = items instanceof Vector;
        SwingWidget widget = snapshot.addItem(isMenu ? Kind.MENU : Kind.AWT_MENU_ITEM, item, parent);
        if (widget == null) return;
        widget.text = textOf(item);
        widget.flag("disabled", !Fields.flag(item, "java.awt.MenuItem.enabled"));
        if (item instanceof java.awt.CheckboxMenuItem)
            widget.fact("value", Fields.flag(item, "java.awt.CheckboxMenuItem.state"));
        if (!isMenu || depth == MAX_DEPTH) return;
        for (Object inner : ((Vector<?>) items).toArray()) readItem(inner, widget, snapshot, depth + 1);
    }
}
