package substrate.agent.swing;

import java.awt.Component;
import java.lang.reflect.Method;
import java.util.Vector;

/** Reads the controls that AWT draws itself, and its menus. Runs on the event thread. */
final class AwtReader {
    private static final FieldRef LABEL_TEXT = new FieldRef("java.awt.Label", "text");
    private static final FieldRef BUTTON_TEXT = new FieldRef("java.awt.Button", "label");
    private static final FieldRef CHECK_TEXT = new FieldRef("java.awt.Checkbox", "label");
    private static final FieldRef CHECK_STATE = new FieldRef("java.awt.Checkbox", "state");
    private static final FieldRef CHOICE_ITEMS = new FieldRef("java.awt.Choice", "pItems");
    private static final FieldRef CHOICE_SELECTED = new FieldRef("java.awt.Choice", "selectedIndex");
    private static final FieldRef LIST_ITEMS = new FieldRef("java.awt.List", "items");
    private static final FieldRef LIST_SELECTED = new FieldRef("java.awt.List", "selected");
    private static final FieldRef TEXT = new FieldRef("java.awt.TextComponent", "text");
    private static final FieldRef TEXT_EDITABLE = new FieldRef("java.awt.TextComponent", "editable");
    private static final FieldRef ECHO = new FieldRef("java.awt.TextField", "echoChar");
    private static final FieldRef ON_ENTER = new FieldRef("java.awt.TextField", "actionListener");
    private static final FieldRef PEER = new FieldRef("java.awt.Component", "peer");
    private static final FieldRef MENU_BAR = new FieldRef("java.awt.Frame", "menuBar");
    private static final FieldRef MENUS = new FieldRef("java.awt.MenuBar", "menus");
    private static final FieldRef MENU_ITEMS = new FieldRef("java.awt.Menu", "items");
    private static final FieldRef ITEM_TEXT = new FieldRef("java.awt.MenuItem", "label");
    private static final FieldRef ITEM_ENABLED = new FieldRef("java.awt.MenuItem", "enabled");
    private static final FieldRef ITEM_STATE = new FieldRef("java.awt.CheckboxMenuItem", "state");
    private static final int MAX_DEPTH = 6;
    private static final int MAX_ROWS = 200;

    private AwtReader() {}

    static void read(Component component, Part part) {
        switch (part.kind) {
            case AWT_LABEL:
                part.text = Text.plain(LABEL_TEXT.text(component));
                break;
            case AWT_BUTTON:
                part.text = Text.plain(BUTTON_TEXT.text(component));
                break;
            case AWT_CHECK:
                part.text = Text.plain(CHECK_TEXT.text(component));
                part.isSelected = CHECK_STATE.flag(component);
                part.value = Boolean.valueOf(part.isSelected);
                break;
            case AWT_CHOICE:
                part.rows = rows(CHOICE_ITEMS.of(component));
                select(part.rows, CHOICE_SELECTED.number(component));
                break;
            case AWT_LIST:
                part.rows = rows(LIST_ITEMS.of(component));
                Object selected = LIST_SELECTED.of(component);
                if (selected instanceof int[] && ((int[]) selected).length > 0)
                    select(part.rows, ((int[]) selected)[0]);
                break;
            case AWT_TEXT:
                part.isEditable = TEXT_EDITABLE.flag(component);
                part.hasListener = ON_ENTER.of(component) != null;
                part.value = isSecret(component) ? "[redacted]" : text(component);
                break;
            default:
        }
    }

    static String textOf(Object control) {
        if (control instanceof java.awt.MenuItem) return Text.plain(ITEM_TEXT.text(control));
        return Text.plain(control instanceof java.awt.Button ? BUTTON_TEXT.text(control) : CHECK_TEXT.text(control));
    }

    private static boolean isSecret(Component field) {
        return field instanceof java.awt.TextField && !Character.valueOf('\0').equals(ECHO.of(field));
    }

    /** The field has what the app wrote, its peer what the person did. The method of the field would take its lock. */
    private static String text(Component field) {
        try {
            Object peer = PEER.of(field);
            FieldRef.open(peer.getClass());
            Method getText = peer.getClass().getMethod("getText");
            getText.setAccessible(true);
            Object text = getText.invoke(peer);
            if (text instanceof String) return (String) text;
        } catch (Exception e) {
            // A peer of another make, or closed to us.
        }
        return TEXT.text(field);
    }

    private static Rows rows(Object items) {
        Rows rows = new Rows();
        if (!(items instanceof Vector)) return rows;
        rows.total = ((Vector<?>) items).size();
        for (Object item : ((Vector<?>) items).toArray()) if (rows.shown.size() < MAX_ROWS) rows.shown.add(item);
        return rows;
    }

    private static void select(Rows rows, int index) {
        if (index < 0 || index >= rows.total) return;
        rows.selected = index;
        rows.selectedValue = index < rows.shown.size() ? rows.shown.get(index) : null;
    }

    /** Adds a part for each menu of a frame. */
    static void readMenus(Component frame, Part parent, Memory.Book book) {
        Object menus = MENUS.of(MENU_BAR.of(frame));
        if (!(menus instanceof Vector)) return;
        for (Object menu : ((Vector<?>) menus).toArray()) readItem(menu, parent, book, 0);
    }

    private static void readItem(Object item, Part parent, Memory.Book book, int depth) {
        Object items = MENU_ITEMS.of(item);
        boolean isMenu = items instanceof Vector;
        Part part = new Part(isMenu ? Kind.MENU : Kind.AWT_MENU_ITEM, parent, item, book.of(item));
        part.text = Text.plain(ITEM_TEXT.text(item));
        part.isEnabled = ITEM_ENABLED.flag(item);
        if (item instanceof java.awt.CheckboxMenuItem) part.value = Boolean.valueOf(ITEM_STATE.flag(item));
        parent.parts.add(part);
        if (!isMenu || depth == MAX_DEPTH) return;
        for (Object inner : ((Vector<?>) items).toArray()) readItem(inner, part, book, depth + 1);
    }
}
