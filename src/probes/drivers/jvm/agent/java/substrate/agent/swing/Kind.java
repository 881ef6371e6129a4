package substrate.agent.swing;

import java.util.HashMap;
import java.util.Map;

/**
 * What a component is to a person. Told by the name of the nearest class of the JDK among its classes: to ask by
 * `instanceof` would load classes that the app may not have.
 */
enum Kind {
    GROUP, SCROLL, INTERNAL_FRAME, OPTION_PANE, MENU_BAR, POPUP,
    MENU, MENU_ITEM, CHECK_ITEM,
    LABEL, BUTTON, TOGGLE, CHECK, RADIO, TEXT, PASSWORD, COMBO, LIST, TABLE, TREE, TABS, SLIDER, SPINNER, PROGRESS,
    AWT_LABEL, AWT_BUTTON, AWT_CHECK, AWT_CHOICE, AWT_LIST, AWT_TEXT, AWT_MENU_ITEM,
    IGNORED;

    private static final Map<String, Kind> BY_CLASS = new HashMap<String, Kind>();

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

    private static void awt(Kind kind, String... names) {
        for (String name : names) BY_CLASS.put("java.awt." + name, kind);
    }

    static Kind of(Object component) {
        for (Class<?> type = component.getClass(); type != null; type = type.getSuperclass()) {
            Kind kind = BY_CLASS.get(type.getName());
            if (kind != null) return kind;
        }
        return IGNORED;
    }

    boolean isLabel() {
        return this == LABEL || this == AWT_LABEL;
    }

    boolean isMenuItem() {
        return this == MENU_ITEM || this == CHECK_ITEM || this == AWT_MENU_ITEM;
    }

    boolean isButton() {
        return this == BUTTON || this == AWT_BUTTON;
    }

    /** On or off, with its own words beside it. */
    boolean isToggle() {
        return this == TOGGLE || this == CHECK || this == AWT_CHECK;
    }

    /** Holds a value that a person sees. */
    boolean isField() {
        switch (this) {
            case TOGGLE: case CHECK: case RADIO: case TEXT: case PASSWORD: case COMBO: case LIST: case TABLE: case TREE:
            case TABS: case SLIDER: case SPINNER: case PROGRESS: case AWT_CHECK: case AWT_CHOICE: case AWT_LIST:
            case AWT_TEXT:
                return true;
            default:
                return false;
        }
    }
}
