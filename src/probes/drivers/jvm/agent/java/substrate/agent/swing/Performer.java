package substrate.agent.swing;

import java.awt.Component;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.ItemEvent;
import java.awt.event.WindowEvent;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;
import substrate.agent.screen.Fields;
import substrate.agent.screen.Text;
import substrate.agent.screen.UiRequest;

/** Uses a control as a person would, after checking that it is still the intended one. */
final class Performer {
    final SwingWidget widget;
    private final UiRequest asked;

    Performer(SwingWidget widget, UiRequest asked) {
        this.widget = widget;
        this.asked = asked;
    }

    void perform() throws Exception {
        Object control = widget.component.get();
        Window window = widget.window.get();
        if (control == null || window == null || !Windows.isShowing(window)) throw asked.gone("is not there any more");
        if (Windows.isBlocked(window)) throw asked.gone("cannot be used while a dialog is open");
        if (asked.operation.equals("close")) {
            window.dispatchEvent(new WindowEvent(window, WindowEvent.WINDOW_CLOSING));
            return;
        }
        check(control, window);
        if (control instanceof java.awt.MenuItem) pressItem((java.awt.MenuItem) control);
        else if (widget.kind.isAwt()) performAwt((Component) control);
        else new SwingControl(asked).perform(control);
    }

    private void check(Object control, Window window) throws NotDispatched {
        Kind kind = widget.kind;
        boolean isItem = kind == Kind.MENU_ITEM || kind == Kind.CHECK_ITEM || kind == Kind.AWT_MENU_ITEM;
        // A group of radio buttons can be used as long as one of them can.
        boolean isGroup = kind == Kind.RADIO && asked.operation.equals("choose");
        boolean isEnabled = Fields.flag(
            control, control instanceof Component ? "java.awt.Component.enabled" : "java.awt.MenuItem.enabled");
        if (!isEnabled && !isGroup) throw asked.gone("is disabled");
        if (!isItem && !isIn(window, control)) throw asked.gone("is not shown any more");
        if (asked.words == null) return;
        String now = kind.isAwt() ? AwtReader.textOf(control) : ControlReader.buttonText(control);
        if (!asked.words.equals(now)) throw asked.gone("now says \"" + now + "\"");
    }

    private static boolean isIn(Window window, Object control) {
        for (Object at = control; at != null; at = Fields.of(at, "java.awt.Component.parent")) {
            if (!Fields.flag(at, "java.awt.Component.visible")) return false;
            if (at == window) return true;
        }
        return false;
    }

    /** AWT controls take events, as their peers send them. */
    private void performAwt(Component control) throws BadArgument {
        switch (widget.kind) {
            case AWT_BUTTON:
                control.dispatchEvent(actionEvent(control, ((java.awt.Button) control).getActionCommand()));
                return;
            case AWT_CHECK:
                java.awt.Checkbox box = (java.awt.Checkbox) control;
                box.setState(asked.flag("value"));
                control.dispatchEvent(itemEvent(box, box.getLabel(), box.getState()));
                return;
            case AWT_CHOICE:
                java.awt.Choice choice = (java.awt.Choice) control;
                String wanted = asked.text("value");
                int at = 0;
                while (at < choice.getItemCount() && !wanted.equals(Text.plain(choice.getItem(at)))) at++;
                if (at == choice.getItemCount()) throw UiRequest.unknown(wanted);
                choice.select(at);
                control.dispatchEvent(itemEvent(choice, choice.getItem(at), true));
                return;
            case AWT_LIST:
                java.awt.List list = (java.awt.List) control;
                int index = asked.index(list.getItemCount());
                list.select(index);
                control.dispatchEvent(itemEvent(list, Integer.valueOf(index), true));
                return;
            default:
                java.awt.TextComponent field = (java.awt.TextComponent) control;
                if (asked.operation.equals("submit")) field.dispatchEvent(actionEvent(field, field.getText()));
                // The peer fires the event for the new text.
                else field.setText(asked.text("value"));
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
