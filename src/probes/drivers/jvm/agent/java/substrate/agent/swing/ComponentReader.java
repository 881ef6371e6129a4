package substrate.agent.swing;

import java.awt.Component;
import java.awt.event.ActionListener;
import java.util.Hashtable;
import substrate.agent.screen.Fields;
import substrate.agent.screen.Text;

/** Reads the facts that all components have: position, and the app's names. Runs on the event thread. */
final class ComponentReader {
    private ComponentReader() {}

    static boolean hasSize(Component component) {
        return Fields.number(component, "java.awt.Component.width") > 0
            && Fields.number(component, "java.awt.Component.height") > 0;
    }

    static void read(Component component, SwingWidget widget) {
        widget.flag("disabled", !Fields.flag(component, "java.awt.Component.enabled"));
        widget.fact("name", ownName(component));
        // The getter is never called: it would make the object.
        Object accessible = Fields.of(component, "java.awt.Component.accessibleContext");
        widget.fact("accessible", Fields.text(accessible, "javax.accessibility.AccessibleContext.accessibleName"));
        Object tip = property(Fields.of(component, "javax.swing.JComponent.clientProperties"), "ToolTipText");
        if (tip instanceof String) widget.tip = Text.plain((String) tip);
        widget.fact("border", title(Fields.of(component, "javax.swing.JComponent.border"), 0));
        widget.fact("type", typeName(component.getClass()));
        widget.fact("x", Fields.of(component, "java.awt.Component.x"));
        widget.fact("y", Fields.of(component, "java.awt.Component.y"));
        widget.fact("width", Fields.of(component, "java.awt.Component.width"));
        widget.fact("height", Fields.of(component, "java.awt.Component.height"));
    }

    /** Null for a class of the JDK, or one without a name. */
    private static String typeName(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("javax.swing.") || name.startsWith("java.awt.") || name.startsWith("sun.")) return null;
        String simple = name.substring(1 + Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')));
        return Character.isDigit(simple.charAt(0)) ? null : simple;
    }

    /** The nearest class with a name; null if that is of the JDK. */
    static String namedType(Class<?> type) {
        Class<?> named = type;
        while (named.getName().matches(".*\\$\\d([^$]*\\d)?")) named = named.getSuperclass();
        return typeName(named);
    }

    /** Null if neither the app nor Swing set a name. */
    static String ownName(Component component) {
        boolean isNamed = Fields.flag(component, "java.awt.Component.nameExplicitlySet");
        return isNamed ? Fields.text(component, "java.awt.Component.name") : null;
    }

    private static String title(Object border, int depth) {
        if (border == null || depth > 3) return null;
        String title = Fields.text(border, "javax.swing.border.TitledBorder.title");
        if (title == null)
            title = title(Fields.of(border, "javax.swing.border.CompoundBorder.outsideBorder"), depth + 1);
        return title != null
            ? title : title(Fields.of(border, "javax.swing.border.CompoundBorder.insideBorder"), depth + 1);
    }

    /** A property from Swing's table; equals of the app's keys is not called. */
    static Object property(Object arrayTable, String key) {
        Object table = Fields.of(arrayTable, "javax.swing.ArrayTable.table");
        if (table instanceof Object[]) {
            Object[] pairs = (Object[]) table;
            for (int at = 0; at + 1 < pairs.length; at += 2) if (key.equals(pairs[at])) return pairs[at + 1];
        } else if (table instanceof Hashtable) {
            return ((Hashtable<?, ?>) table).get(key);
        }
        return null;
    }

    static boolean hasActionListener(Object component) {
        Object listeners = Fields.of(component, "javax.swing.JComponent.listenerList");
        Object pairs = Fields.of(listeners, "javax.swing.event.EventListenerList.listenerList");
        if (!(pairs instanceof Object[])) return false;
        for (Object type : (Object[]) pairs) if (type == ActionListener.class) return true;
        return false;
    }
}
