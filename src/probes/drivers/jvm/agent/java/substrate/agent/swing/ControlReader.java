package substrate.agent.swing;

import java.awt.Component;

/** Reads the words and values of single controls of Swing, from their fields. Runs on the event thread. */
final class ControlReader {
    private static final int SELECTED = 2;
    private static final FieldRef LABEL_TEXT = new FieldRef("javax.swing.JLabel", "text");
    private static final FieldRef BUTTON_TEXT = new FieldRef("javax.swing.AbstractButton", "text");
    private static final FieldRef BUTTON_MODEL = new FieldRef("javax.swing.AbstractButton", "model");
    private static final FieldRef BUTTON_ACTION = new FieldRef("javax.swing.AbstractButton", "action");
    private static final FieldRef BUTTON_ICON = new FieldRef("javax.swing.AbstractButton", "defaultIcon");
    private static final FieldRef ICON_TEXT = new FieldRef("javax.swing.ImageIcon", "description");
    private static final FieldRef ACTION_TABLE = new FieldRef("javax.swing.AbstractAction", "arrayTable");
    private static final FieldRef STATE = new FieldRef("javax.swing.DefaultButtonModel", "stateMask");
    private static final FieldRef GROUP = new FieldRef("javax.swing.DefaultButtonModel", "group");
    private static final FieldRef COMMAND = new FieldRef("javax.swing.DefaultButtonModel", "actionCommand");
    private static final FieldRef DOCUMENT = new FieldRef("javax.swing.text.JTextComponent", "model");
    private static final FieldRef EDITABLE = new FieldRef("javax.swing.text.JTextComponent", "editable");
    private static final FieldRef SLIDER_MODEL = new FieldRef("javax.swing.JSlider", "sliderModel");
    private static final FieldRef PROGRESS_MODEL = new FieldRef("javax.swing.JProgressBar", "model");
    private static final FieldRef IS_ENDLESS = new FieldRef("javax.swing.JProgressBar", "indeterminate");
    private static final FieldRef PROGRESS_TEXT = new FieldRef("javax.swing.JProgressBar", "progressString");
    private static final FieldRef RANGE_VALUE = new FieldRef("javax.swing.DefaultBoundedRangeModel", "value");
    private static final FieldRef RANGE_MIN = new FieldRef("javax.swing.DefaultBoundedRangeModel", "min");
    private static final FieldRef RANGE_MAX = new FieldRef("javax.swing.DefaultBoundedRangeModel", "max");
    private static final FieldRef SPINNER_MODEL = new FieldRef("javax.swing.JSpinner", "model");
    private static final FieldRef MESSAGE = new FieldRef("javax.swing.JOptionPane", "message");
    private static final FieldRef FRAME_TITLE = new FieldRef("javax.swing.JInternalFrame", "title");

    private ControlReader() {}

    static void read(Component component, Part part) {
        switch (part.kind) {
            case LABEL:
                part.text = Text.plain(LABEL_TEXT.text(component));
                break;
            case BUTTON: case TOGGLE: case CHECK: case RADIO: case MENU: case MENU_ITEM: case CHECK_ITEM:
                readButton(component, part);
                break;
            case TEXT:
                part.value = Text.ofDocument(DOCUMENT.of(component));
                part.isEditable = EDITABLE.flag(component);
                part.hasListener = ComponentReader.hasActionListener(component);
                break;
            case PASSWORD:
                part.value = "[redacted]";
                part.isEditable = EDITABLE.flag(component);
                part.hasListener = ComponentReader.hasActionListener(component);
                break;
            case SLIDER:
                readRange(SLIDER_MODEL.of(component), part);
                break;
            case PROGRESS:
                readRange(PROGRESS_MODEL.of(component), part);
                if (IS_ENDLESS.flag(component)) part.value = "running";
                part.text = PROGRESS_TEXT.text(component);
                break;
            case SPINNER:
                readSpinner(SPINNER_MODEL.of(component), part);
                break;
            case OPTION_PANE:
                part.text = messageText(MESSAGE.of(component), 0);
                break;
            case INTERNAL_FRAME:
                part.text = Text.plain(FRAME_TITLE.text(component));
                break;
            default:
        }
    }

    static String buttonText(Object button) {
        return Text.plain(BUTTON_TEXT.text(button));
    }

    /** Null: only the app itself could tell, and nobody looks at it now. */
    private static Boolean selection(Object model, boolean isSeen) {
        if (model == null) return null;
        // A model of the app is asked what painting asks it, if it is painted.
        if (model.getClass().getName().startsWith("javax.swing.")) return (STATE.number(model) & SELECTED) != 0;
        return isSeen ? Boolean.valueOf(((javax.swing.ButtonModel) model).isSelected()) : null;
    }

    private static void readButton(Component button, Part part) {
        Object model = BUTTON_MODEL.of(button);
        Object properties = ACTION_TABLE.of(BUTTON_ACTION.of(button));
        part.text = buttonText(button);
        part.value = selection(model, !part.kind.isMenuItem() && part.kind != Kind.BUTTON);
        part.isSelected = part.value == Boolean.TRUE;
        Object group = GROUP.of(model);
        part.group = group == null ? 0 : System.identityHashCode(group) | 1;
        part.command = COMMAND.text(model);
        if (properties != null) {
            Object name = ComponentReader.property(properties, "Name");
            Object tip = ComponentReader.property(properties, "ShortDescription");
            if (name instanceof String) part.command = (String) name;
            if (part.tip == null && tip instanceof String) part.tip = Text.plain((String) tip);
        }
        if (part.command == null && part.text.isEmpty())
            part.command = fileName(ICON_TEXT.text(BUTTON_ICON.of(button)));
    }

    /** `file:/app/icons/save.gif` is `save`. */
    private static String fileName(String address) {
        if (address == null) return null;
        String name = address.substring(address.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    private static void readRange(Object model, Part part) {
        if (model instanceof javax.swing.DefaultBoundedRangeModel) {
            part.value = Integer.valueOf(RANGE_VALUE.number(model));
            part.range = RANGE_MIN.number(model) + " to " + RANGE_MAX.number(model);
        } else if (model instanceof javax.swing.BoundedRangeModel) {
            javax.swing.BoundedRangeModel other = (javax.swing.BoundedRangeModel) model;
            part.value = Integer.valueOf(other.getValue());
            part.range = other.getMinimum() + " to " + other.getMaximum();
        }
    }

    private static void readSpinner(Object model, Part part) {
        if (!(model instanceof javax.swing.SpinnerModel)) return;
        if (model instanceof javax.swing.SpinnerNumberModel) {
            javax.swing.SpinnerNumberModel numbers = (javax.swing.SpinnerNumberModel) model;
            Object min = numbers.getMinimum();
            Object max = numbers.getMaximum();
            if (min instanceof Number && max instanceof Number) part.range = min + " to " + max;
        }
        part.value = Text.ofCell(((javax.swing.SpinnerModel) model).getValue());
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
