package substrate.agent.swing;

import java.awt.Component;
import java.awt.event.ActionListener;
import java.util.Hashtable;

/** Reads what all components have: where they are, and what they are called by the app. Runs on the event thread. */
final class ComponentReader {
    private static final FieldRef NAME = new FieldRef("java.awt.Component", "name");
    private static final FieldRef IS_NAMED = new FieldRef("java.awt.Component", "nameExplicitlySet");
    private static final FieldRef ENABLED = new FieldRef("java.awt.Component", "enabled");
    private static final FieldRef X = new FieldRef("java.awt.Component", "x");
    private static final FieldRef Y = new FieldRef("java.awt.Component", "y");
    private static final FieldRef WIDTH = new FieldRef("java.awt.Component", "width");
    private static final FieldRef HEIGHT = new FieldRef("java.awt.Component", "height");
    private static final FieldRef ACCESSIBLE = new FieldRef("java.awt.Component", "accessibleContext");
    private static final FieldRef ACCESSIBLE_NAME =
        new FieldRef("javax.accessibility.AccessibleContext", "accessibleName");
    private static final FieldRef PROPERTIES = new FieldRef("javax.swing.JComponent", "clientProperties");
    private static final FieldRef BORDER = new FieldRef("javax.swing.JComponent", "border");
    private static final FieldRef BORDER_TITLE = new FieldRef("javax.swing.border.TitledBorder", "title");
    private static final FieldRef OUTER_BORDER = new FieldRef("javax.swing.border.CompoundBorder", "outsideBorder");
    private static final FieldRef INNER_BORDER = new FieldRef("javax.swing.border.CompoundBorder", "insideBorder");
    private static final FieldRef TABLE = new FieldRef("javax.swing.ArrayTable", "table");
    private static final FieldRef LISTENERS = new FieldRef("javax.swing.JComponent", "listenerList");
    private static final FieldRef LISTENER_PAIRS = new FieldRef("javax.swing.event.EventListenerList", "listenerList");
    /** Names that Swing itself gives to the parts of its components. */
    private static final String[] NAMES_OF_SWING = {
        "null.", "OptionPane.", "ComboBox.", "Spinner.", "ScrollBar.", "Tree.", "Table.", "List.", "TabbedPane.",
        "InternalFrameTitlePane.", "SplitPane", "FileChooser.", "ToolBar.", "Menu.", "dialog", "frame", "win",
    };

    private ComponentReader() {}

    static void read(Component component, Part part) {
        part.isEnabled = ENABLED.flag(component);
        part.ownName = ownName(component);
        // Never the method: it would make one.
        part.accessible = ACCESSIBLE_NAME.text(ACCESSIBLE.of(component));
        Object properties = PROPERTIES.of(component);
        if (properties != null) {
            Object tip = property(properties, "ToolTipText");
            if (tip instanceof String) part.tip = Text.plain((String) tip);
        }
        part.border = title(BORDER.of(component), 0);
        part.typeName = typeName(component.getClass());
        if (part.typeName == null && part.parent != null) part.typeName = part.parent.typeName;
        place(component, part);
    }

    /** Null: a class of the JDK, or one without a name. */
    private static String typeName(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("javax.swing.") || name.startsWith("java.awt.") || name.startsWith("sun.")) return null;
        String simple = name.substring(1 + Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')));
        return Character.isDigit(simple.charAt(0)) ? null : simple;
    }

    private static void place(Component component, Part part) {
        Part parent = part.parent;
        part.width = WIDTH.number(component);
        part.height = HEIGHT.number(component);
        if (parent == null) return;
        if (parent.kind == Kind.SCROLL) {
            part.x = parent.x;
            part.y = parent.y;
            part.width = Math.min(part.width, parent.width);
            part.height = Math.min(part.height, parent.height);
        } else {
            part.x = parent.x + X.number(component);
            part.y = parent.y + Y.number(component);
        }
    }

    /** Null: the app gave it none. */
    static String ownName(Component component) {
        String name = IS_NAMED.flag(component) ? NAME.text(component) : null;
        if (name == null) return null;
        for (String prefix : NAMES_OF_SWING) {
            if (name.startsWith(prefix) && (prefix.endsWith(".") || isNumbered(name, prefix))) return null;
        }
        return name;
    }

    private static boolean isNumbered(String name, String prefix) {
        for (int at = prefix.length(); at < name.length(); at++) if (!Character.isDigit(name.charAt(at))) return false;
        return true;
    }

    private static String title(Object border, int depth) {
        if (border == null || depth > 3) return null;
        String title = BORDER_TITLE.text(border);
        if (title == null) title = title(OUTER_BORDER.of(border), depth + 1);
        return title != null ? title : title(INNER_BORDER.of(border), depth + 1);
    }

    /** Of the table in which Swing keeps properties; keys of the app are not asked whether they are equal. */
    static Object property(Object arrayTable, String key) {
        Object table = TABLE.of(arrayTable);
        if (table instanceof Object[]) {
            Object[] pairs = (Object[]) table;
            for (int at = 0; at + 1 < pairs.length; at += 2) if (key.equals(pairs[at])) return pairs[at + 1];
        } else if (table instanceof Hashtable) {
            return ((Hashtable<?, ?>) table).get(key);
        }
        return null;
    }

    static boolean hasActionListener(Object component) {
        Object pairs = LISTENER_PAIRS.of(LISTENERS.of(component));
        if (!(pairs instanceof Object[])) return false;
        for (Object type : (Object[]) pairs) if (type == ActionListener.class) return true;
        return false;
    }
}
