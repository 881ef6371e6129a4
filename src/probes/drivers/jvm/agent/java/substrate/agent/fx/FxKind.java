package substrate.agent.fx;

import java.util.HashMap;
import java.util.Map;

/** The kind of a node, by the name of the nearest class of JavaFX among its classes. */
enum FxKind {
    WINDOW("window"), GROUP("group", "scene.Parent"), SCROLL("scroll", "scene.control.ScrollPane"),
    TITLED("toggle", "scene.control.TitledPane"), DIALOG("message", "scene.control.DialogPane"),
    MENU_BAR("group", "scene.control.MenuBar"), POPUP("popup"), MENU("menu", "scene.control.MenuButton"),
    ITEM("item"), LABEL("label", "scene.control.Label", "scene.text.Text"), FLOW("label", "scene.text.TextFlow"),
    BUTTON("button", "scene.control.ButtonBase"), LINK("link", "scene.control.Hyperlink"),
    TOGGLE("toggle", "scene.control.ToggleButton"), CHECK("check", "scene.control.CheckBox"),
    RADIO("radio", "scene.control.RadioButton"), TEXT("text", "scene.control.TextInputControl"),
    PASSWORD("password", "scene.control.PasswordField"), CHOICE("choice", "scene.control.ComboBox"),
    CHOICE_BOX("choice", "scene.control.ChoiceBox"), DATE("date", "scene.control.DatePicker"),
    LIST("list", "scene.control.ListView"), TABLE("table", "scene.control.TableView"),
    TREE_TABLE("table", "scene.control.TreeTableView"), TREE("tree", "scene.control.TreeView"),
    TABS("tabs", "scene.control.TabPane"), SLIDER("slider", "scene.control.Slider"),
    SPINNER("spinner", "scene.control.Spinner"), PROGRESS("progress", "scene.control.ProgressIndicator"),
    IGNORED("", "scene.Node", "scene.control.ScrollBar", "scene.control.Separator", "scene.control.ColorPicker",
        "scene.web.WebView", "scene.chart.Axis", "scene.control.Cell");

    private static final Map<String, FxKind> BY_CLASS = new HashMap<String, FxKind>();
    /** The daemon's name for it. */
    final String role;
    private final String[] classes;

    FxKind(String role, String... classes) {
        this.role = role;
        this.classes = classes;
    }

    static {
        for (FxKind kind : values())
            for (String name : kind.classes)
                BY_CLASS.put("javafx." + name, kind);
    }

    static FxKind of(Object node) {
        for (Class<?> type = node.getClass(); type != null; type = type.getSuperclass()) {
            FxKind kind = BY_CLASS.get(type.getName());
            if (kind != null) return kind;
        }
        return IGNORED;
    }
}
