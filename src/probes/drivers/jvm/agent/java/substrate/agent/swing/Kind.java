package substrate.agent.swing;

import java.util.HashMap;
import java.util.Map;

/**
 * The kind of a component, by the name of the nearest JDK class among its classes: `instanceof` would load classes that
 * the app may not have.
 */
enum Kind {
    WINDOW("window"), GROUP("group", "java.awt.Component"),
    SCROLL("scroll", "javax.swing.JScrollPane", "javax.swing.JViewport"),
    INTERNAL_FRAME("frame", "javax.swing.JInternalFrame"), OPTION_PANE("message", "javax.swing.JOptionPane"),
    MENU_BAR("group", "javax.swing.JMenuBar"), POPUP("popup", "javax.swing.JPopupMenu"),
    MENU("menu", "javax.swing.JMenu"), MENU_ITEM("item", "javax.swing.JMenuItem"),
    CHECK_ITEM("item", "javax.swing.JCheckBoxMenuItem", "javax.swing.JRadioButtonMenuItem"),
    LABEL("label", "javax.swing.JLabel"), BUTTON("button", "javax.swing.AbstractButton"),
    TOGGLE("toggle", "javax.swing.JToggleButton"), CHECK("check", "javax.swing.JCheckBox"),
    RADIO("radio", "javax.swing.JRadioButton"), TEXT("text", "javax.swing.text.JTextComponent"),
    PASSWORD("password", "javax.swing.JPasswordField"), COMBO("choice", "javax.swing.JComboBox"),
    LIST("list", "javax.swing.JList"), TABLE("table", "javax.swing.JTable"), TREE("tree", "javax.swing.JTree"),
    TABS("tabs", "javax.swing.JTabbedPane"), SLIDER("slider", "javax.swing.JSlider"),
    SPINNER("spinner", "javax.swing.JSpinner"), PROGRESS("progress", "javax.swing.JProgressBar"),
    AWT_LABEL("label", "java.awt.Label"), AWT_BUTTON("button", "java.awt.Button"),
    AWT_CHECK("check", "java.awt.Checkbox"), AWT_CHOICE("choice", "java.awt.Choice"),
    AWT_LIST("list_box", "java.awt.List"), AWT_TEXT("text", "java.awt.TextComponent"), AWT_MENU_ITEM("item"),
    IGNORED("", "java.awt.Scrollbar", "javax.swing.JScrollBar", "javax.swing.CellRendererPane",
        "javax.swing.table.JTableHeader", "javax.swing.JSeparator", "javax.swing.JToolTip",
        "javax.swing.plaf.basic.BasicSplitPaneDivider", "javax.swing.plaf.basic.BasicInternalFrameTitlePane");

    private static final Map<String, Kind> BY_CLASS = new HashMap<String, Kind>();
    /** The kind's name in reports. */
    final String role;
    private final String[] classes;

    Kind(String role, String... classes) {
        this.role = role;
        this.classes = classes;
    }

    static {
        for (Kind kind : values()) for (String name : kind.classes) BY_CLASS.put(name, kind);
    }

    static Kind of(Object component) {
        for (Class<?> type = component.getClass(); type != null; type = type.getSuperclass()) {
            Kind kind = BY_CLASS.get(type.getName());
            if (kind != null) return kind;
        }
        return IGNORED;
    }

    boolean isAwt() {
        return name().startsWith("AWT_");
    }
}
