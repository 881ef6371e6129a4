package substrate.agent.swing;

import java.util.HashMap;
import java.util.Map;

/**
 * What a component is. Told by the name of the nearest class of the JDK among its classes: to ask by `instanceof` would
 * load classes that the app may not have.
 */
enum Kind {
    WINDOW("window"), GROUP("group"), SCROLL("scroll"), INTERNAL_FRAME("frame"), OPTION_PANE("message"),
    MENU_BAR("group"), POPUP("popup"), MENU("menu"), MENU_ITEM("item"), CHECK_ITEM("item"), LABEL("label"),
    BUTTON("button"), TOGGLE("toggle"), CHECK("check"), RADIO("radio"), TEXT("text"), PASSWORD("password"),
    COMBO("choice"), LIST("list"), TABLE("table"), TREE("tree"), TABS("tabs"), SLIDER("slider"), SPINNER("spinner"),
    PROGRESS("progress"), AWT_LABEL("label"), AWT_BUTTON("button"), AWT_CHECK("check"), AWT_CHOICE("choice"),
    AWT_LIST("list_box"), AWT_TEXT("text"), AWT_MENU_ITEM("item"), IGNORED("");

    private static final Map<String, Kind> BY_CLASS = new HashMap<String, Kind>();
    /** As the daemon is told. */
    final String role;

    Kind(String role) {
        this.role = role;
    }

    static {
        swing(SCROLL, "JScrollPane", "JViewport");
        swing(INTERNAL_FRAME, "JInternalFrame");
        swing(OPTION_PANE, "JOptionPane");
        swing(MENU_BAR, "JMenuBar");
        swing(POPUP, "JPopupMenu");
        swing(MENU, "JMenu");
        swing(MENU_ITEM, "JMenuItem");
        swing(CHECK_ITEM, "JCheckBoxMenuItem", "JRadioButtonMenuItem");
        swing(LABEL, "JLabel");
        swing(BUTTON, "AbstractButton");
        swing(TOGGLE, "JToggleButton");
        swing(CHECK, "JCheckBox");
        swing(RADIO, "JRadioButton");
        swing(TEXT, "text.JTextComponent");
        swing(PASSWORD, "JPasswordField");
        swing(COMBO, "JComboBox");
        swing(LIST, "JList");
        swing(TABLE, "JTable");
        swing(TREE, "JTree");
        swing(TABS, "JTabbedPane");
        swing(SLIDER, "JSlider");
        swing(SPINNER, "JSpinner");
        swing(PROGRESS, "JProgressBar");
        swing(IGNORED, "JScrollBar", "CellRendererPane", "table.JTableHeader", "JSeparator", "JToolTip",
            "plaf.basic.BasicSplitPaneDivider", "plaf.basic.BasicInternalFrameTitlePane");
        awt(AWT_LABEL, "Label");
        awt(AWT_BUTTON, "Button");
        awt(AWT_CHECK, "Checkbox");
        awt(AWT_CHOICE, "Choice");
        awt(AWT_LIST, "List");
        awt(AWT_TEXT, "TextComponent");
        awt(IGNORED, "Scrollbar");
        awt(GROUP, "Component");
    }

    private static void swing(Kind kind, String... names) {
        for (String name : names) BY_CLASS.put("javax.swing." + name, kind);
    }

    private static void awt(Kind kind, String name) {
        BY_CLASS.put("java.awt." + name, kind);
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
