package substrate.agent.swing;

import java.awt.Component;
import substrate.agent.screen.Fields;
import substrate.agent.screen.RowReader;
import substrate.agent.screen.Text;

/** Reads the texts and values of single Swing controls from their fields. Runs on the event thread. */
final class ControlReader {
    private static final int SELECTED = 2;
    /** Replaces a value that must not be read. */

    private ControlReader() {}

    static void read(Component component, SwingWidget widget) {
        switch (widget.kind) {
            case LABEL:
                widget.text = Text.plain(Fields.text(component, "javax.swing.JLabel.text"));
                break;
            case BUTTON: case TOGGLE: case CHECK: case RADIO: case MENU: case MENU_ITEM: case CHECK_ITEM:
                readButton(component, widget);
                break;
            case TEXT: case PASSWORD:
                Object document = Fields.of(component, "javax.swing.text.JTextComponent.model");
                if (widget.kind == Kind.PASSWORD) widget.flag("secret", true);
                else widget.fact("value", Text.ofDocument(document));
                widget.flag("editable", Fields.flag(component, "javax.swing.text.JTextComponent.editable"));
                widget.flag("submits", ComponentReader.hasActionListener(component));
                break;
            case SLIDER:
                readRange(Fields.of(component, "javax.swing.JSlider.sliderModel"), widget, false);
                widget.flag("editable", true);
                break;
            case PROGRESS:
                boolean isEndless = Fields.flag(component, "javax.swing.JProgressBar.indeterminate");
                readRange(Fields.of(component, "javax.swing.JProgressBar.model"), widget, isEndless);
                break;
            case SPINNER:
                readSpinner(Fields.of(component, "javax.swing.JSpinner.model"), widget);
                widget.flag("editable", true);
                break;
            case OPTION_PANE:
                widget.text = messageText(Fields.of(component, "javax.swing.JOptionPane.message"), 0);
                break;
            case INTERNAL_FRAME:
                widget.text = Text.plain(Fields.text(component, "javax.swing.JInternalFrame.title"));
                break;
            default:
        }
    }

    static String buttonText(Object button) {
        return Text.plain(Fields.text(button, "javax.swing.AbstractButton.text"));
    }

    /** Null if only the app's model has the answer, and the control is not visible. */
    private static Boolean selection(Object model, boolean isSeen) {
        if (model == null) return null;
        // A model of the app is called like painting calls it, and only if the control is painted.
        if (model.getClass().getName().startsWith("javax.swing."))
            return (Fields.number(model, "javax.swing.DefaultButtonModel.stateMask") & SELECTED) != 0;
        return isSeen ? Boolean.valueOf(((javax.swing.ButtonModel) model).isSelected()) : null;
    }

    private static void readButton(Component button, SwingWidget widget) {
        Kind kind = widget.kind;
        Object model = Fields.of(button, "javax.swing.AbstractButton.model");
        widget.text = buttonText(button);
        if (kind == Kind.TOGGLE || kind == Kind.CHECK || kind == Kind.RADIO || kind == Kind.CHECK_ITEM) {
            Boolean isSelected = selection(model, kind != Kind.CHECK_ITEM);
            widget.factOrNull("value", isSelected);
            widget.flag("selected", Boolean.TRUE.equals(isSelected));
            Object group = Fields.of(model, "javax.swing.DefaultButtonModel.group");
            if (group != null) widget.fact("group", System.identityHashCode(group) | 1);
        }
        String command = Fields.text(model, "javax.swing.DefaultButtonModel.actionCommand");
        Object action = Fields.of(button, "javax.swing.AbstractButton.action");
        Object properties = Fields.of(action, "javax.swing.AbstractAction.arrayTable");
        Object name = ComponentReader.property(properties, "Name");
        Object tip = ComponentReader.property(properties, "ShortDescription");
        if (name instanceof String) command = (String) name;
        if (widget.tip == null && tip instanceof String) widget.tip = Text.plain((String) tip);
        if (command == null && widget.text.isEmpty()) {
            Object icon = Fields.of(button, "javax.swing.AbstractButton.defaultIcon");
            command = fileName(Fields.text(icon, "javax.swing.ImageIcon.description"));
        }
        widget.fact("command", command);
    }

    /** `file:/app/icons/save.gif` is `save`. */
    private static String fileName(String address) {
        if (address == null) return null;
        String name = address.substring(address.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    private static void readRange(Object model, SwingWidget widget, boolean isEndless) {
        if (!(model instanceof javax.swing.BoundedRangeModel)) return;
        boolean isPlain = model instanceof javax.swing.DefaultBoundedRangeModel;
        String of = "javax.swing.DefaultBoundedRangeModel.";
        javax.swing.BoundedRangeModel other = (javax.swing.BoundedRangeModel) model;
        int value = isPlain ? Fields.number(model, of + "value") : other.getValue();
        widget.fact("value", isEndless ? (Object) "running" : (Object) value);
        int min = isPlain ? Fields.number(model, of + "min") : other.getMinimum();
        widget.fact("range", min + " to " + (isPlain ? Fields.number(model, of + "max") : other.getMaximum()));
    }

    private static void readSpinner(Object model, SwingWidget widget) {
        if (!(model instanceof javax.swing.SpinnerModel)) return;
        if (model instanceof javax.swing.SpinnerNumberModel) {
            javax.swing.SpinnerNumberModel numbers = (javax.swing.SpinnerNumberModel) model;
            Object min = numbers.getMinimum();
            Object max = numbers.getMaximum();
            if (min instanceof Number && max instanceof Number) widget.fact("range", min + " to " + max);
        }
        widget.fact("value", RowReader.textOrName(((javax.swing.SpinnerModel) model).getValue()));
    }

    /** A message is a text, or a list of texts and components. */
    private static String messageText(Object message, int depth) {
        if (message instanceof String) return Text.plain((String) message);
        if (!(message instanceof Object[]) || depth > 3) return null;
        StringBuilder out = new StringBuilder();
        for (Object part : (Object[]) message) {
            String text = messageText(part, depth + 1);
            if (text != null) out.append(out.length() > 0 ? "\n" : "").append(text);
        }
        return out.length() == 0 ? null : out.toString();
    }
}
