package substrate.agent.swing;

import java.awt.Component;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.ItemEvent;
import java.awt.event.WindowEvent;
import java.util.Map;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;

/** Does what a person would do with a control, after making sure that it is still the one that the daemon means. */
final class Performer {
    final Widget widget;
    final String operation;
    /** For people: `the button "Save"`. */
    final String called;
    /** What must stand on it: with other words it would be another control; null: that plays no role. */
    private final String words;
    private final Map<String, Object> args;

    Performer(Widget widget, Map<?, ?> request, Map<String, Object> args) {
        this.widget = widget;
        operation = String.valueOf(request.get("operation"));
        called = String.valueOf(request.get("called"));
        words = (String) request.get("words");
        this.args = args;
    }

    void perform() throws Exception {
        Object control = widget.component.get();
        Window window = widget.window.get();
        if (control == null || window == null || !Windows.isShowing(window)) throw gone("is not there any more");
        if (Windows.isBlocked(window)) throw gone("cannot be used while a dialog is open");
        if (operation.equals("close")) {
            window.dispatchEvent(new WindowEvent(window, WindowEvent.WINDOW_CLOSING));
            return;
        }
        check(control, window);
        if (control instanceof java.awt.MenuItem) pressItem((java.awt.MenuItem) control);
        else if (widget.kind.isAwt()) performAwt((Component) control);
        else new SwingControl(this).perform(control);
    }

    NotDispatched gone(String how) {
        return new NotDispatched(called + " " + how);
    }

    private void check(Object control, Window window) throws NotDispatched {
        Kind kind = widget.kind;
        boolean isItem = kind == Kind.MENU_ITEM || kind == Kind.CHECK_ITEM || kind == Kind.AWT_MENU_ITEM;
        // A group of radio buttons can be used as long as one of them can.
        boolean isGroup = kind == Kind.RADIO && operation.equals("choose");
        boolean isEnabled = Fields.flag(
            control, control instanceof Component ? "java.awt.Component.enabled" : "java.awt.MenuItem.enabled");
        if (!isEnabled && !isGroup) throw gone("is disabled");
        if (!isItem && !isIn(window, control)) throw gone("is not shown any more");
        if (words == null) return;
        String now = kind.isAwt() ? AwtReader.textOf(control) : ControlReader.buttonText(control);
        if (!words.equals(now)) throw gone("now says \"" + now + "\"");
    }

    private static boolean isIn(Window window, Object control) {
        for (Object at = control; at != null; at = Fields.of(at, "java.awt.Component.parent")) {
            if (!Fields.flag(at, "java.awt.Component.visible")) return false;
            if (at == window) return true;
        }
        return false;
    }

    /** The daemon has checked what needs no look at the control, such as its type. */
    Object any(String name) {
        return args.get(name);
    }

    String text(String name) {
        return (String) args.get(name);
    }

    boolean flag(String name) {
        return (Boolean) args.get(name);
    }

    int whole(String name) {
        return ((Number) args.get(name)).intValue();
    }

    /** Of a row. */
    int index(int count) throws BadArgument {
        String name = operation.equals("set_cell") ? "row" : "index";
        int index = whole("index");
        if (index >= 0 && index < count) return index;
        throw new BadArgument(count == 0 ? name + ": there are no rows" : name + " must be from 0 to " + (count - 1));
    }

    static BadArgument unknown(String value) {
        return new BadArgument("value: there is no \"" + Text.shorten(value, 100) + "\" to choose");
    }

    /** AWT is told by events, as its peers tell it. */
    private void performAwt(Component control) throws BadArgument {
        switch (widget.kind) {
            case AWT_BUTTON:
                control.dispatchEvent(actionEvent(control, ((java.awt.Button) control).getActionCommand()));
                return;
            case AWT_CHECK:
                java.awt.Checkbox box = (java.awt.Checkbox) control;
                box.setState(flag("value"));
                control.dispatchEvent(itemEvent(box, box.getLabel(), box.getState()));
                return;
            case AWT_CHOICE:
                java.awt.Choice choice = (java.awt.Choice) control;
                String wanted = text("value");
                int at = 0;
                while (at < choice.getItemCount() && !wanted.equals(Text.plain(choice.getItem(at)))) at++;
                if (at == choice.getItemCount()) throw unknown(wanted);
                choice.select(at);
                control.dispatchEvent(itemEvent(choice, choice.getItem(at), true));
                return;
            case AWT_LIST:
                java.awt.List list = (java.awt.List) control;
                int index = index(list.getItemCount());
                list.select(index);
                control.dispatchEvent(itemEvent(list, Integer.valueOf(index), true));
                return;
            default:
                java.awt.TextComponent field = (java.awt.TextComponent) control;
                if (operation.equals("submit")) field.dispatchEvent(actionEvent(field, field.getText()));
                // Its peer tells of the new text.
                else field.setText(text("value"));
        }
    }

    private static void pressItem(java.awt.MenuItem item) {
        if (item instanceof java.awt.CheckboxMenuItem) {
            java.awt.CheckboxMenuItem tick = (java.awt.CheckboxMenuItem) item;
            tick.setState(!tick.getState());
            tick.dispatchEvent(itemEvent(tick, tick.getLabel(), tick.getState()));
        } else {
            item.dispatchEvent(actionEvent(item, item.getActionCommand()));
        }
    }

    private static ActionEvent actionEvent(Object source, String command) {
        return new ActionEvent(source, ActionEvent.ACTION_PERFORMED, command);
    }

    private static ItemEvent itemEvent(java.awt.ItemSelectable source, Object item, boolean isOn) {
        int change = isOn ? ItemEvent.SELECTED : ItemEvent.DESELECTED;
        return new ItemEvent(source, ItemEvent.ITEM_STATE_CHANGED, item, change);
    }
}
