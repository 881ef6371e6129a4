package substrate.agent.swing;

import java.awt.AWTEvent;
import java.awt.Component;
import java.awt.Window;
import java.awt.event.ActionEvent;
import java.awt.event.ItemEvent;
import java.awt.event.WindowEvent;
import java.util.Map;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;

/** Does what a person would do with a control, after making sure that it is still the one that was listed. */
final class Performer {
    private static final FieldRef VISIBLE = new FieldRef("java.awt.Component", "visible");
    private static final FieldRef ENABLED = new FieldRef("java.awt.Component", "enabled");
    private static final FieldRef PARENT = new FieldRef("java.awt.Component", "parent");
    private static final FieldRef ITEM_ENABLED = new FieldRef("java.awt.MenuItem", "enabled");

    private final Target target;
    private final Given given;

    Performer(Target target, Map<String, Object> args) {
        this.target = target;
        this.given = new Given(args);
    }

    void perform() throws Exception {
        Object control = target.component.get();
        Window window = target.window.get();
        if (control == null || window == null || !Windows.isShowing(window)) throw gone("is not there any more");
        if (Windows.isBlocked(window)) throw gone("cannot be used while a dialog is open");
        if (target.deed == Target.Deed.CLOSE) {
            window.dispatchEvent(new WindowEvent(window, WindowEvent.WINDOW_CLOSING));
            return;
        }
        check(control, window);
        if (control instanceof Component && Kind.of(control).name().startsWith("AWT_")) performAwt((Component) control);
        else if (control instanceof java.awt.MenuItem) pressItem((java.awt.MenuItem) control);
        else new SwingControl(target, given).perform(control);
    }

    private NotDispatched gone(String how) {
        return new NotDispatched(target.called + " " + how);
    }

    private void check(Object control, Window window) throws NotDispatched {
        boolean isItem = target.kind.isMenuItem();
        // A group of radio buttons can be used as long as one of them can.
        boolean isGroup = target.kind == Kind.RADIO && target.deed == Target.Deed.CHOOSE;
        boolean isEnabled = control instanceof Component ? ENABLED.flag(control) : ITEM_ENABLED.flag(control);
        if (!isEnabled && !isGroup) throw gone("is disabled");
        if (!isItem && !isIn(window, control)) throw gone("is not shown any more");
        if (target.deed == Target.Deed.PRESS && target.text != null && !target.text.equals(wordsOf(control)))
            throw gone("now says \"" + wordsOf(control) + "\"");
    }

    private static boolean isIn(Window window, Object control) {
        for (Object at = control; at != null; at = PARENT.of(at)) {
            if (!VISIBLE.flag(at)) return false;
            if (at == window) return true;
        }
        return false;
    }

    private String wordsOf(Object control) {
        return target.kind.name().startsWith("AWT_") ? AwtReader.textOf(control) : ControlReader.buttonText(control);
    }

    /** AWT is told by events, as its peers tell it. */
    private void performAwt(Component control) throws BadArgument {
        switch (target.kind) {
            case AWT_BUTTON:
                java.awt.Button button = (java.awt.Button) control;
                tell(control, new ActionEvent(control, ActionEvent.ACTION_PERFORMED, button.getActionCommand()));
                return;
            case AWT_CHECK:
                boolean isOn = target.deed == Target.Deed.PRESS || given.flag("value");
                ((java.awt.Checkbox) control).setState(isOn);
                tellItem(control, (java.awt.Checkbox) control, target.text, isOn);
                return;
            case AWT_CHOICE:
                java.awt.Choice choice = (java.awt.Choice) control;
                String wanted = given.text("value");
                int at = 0;
                while (at < choice.getItemCount() && !wanted.equals(choice.getItem(at))) at++;
                if (at == choice.getItemCount()) throw given.unknown("value", wanted);
                choice.select(at);
                tellItem(control, choice, wanted, true);
                return;
            case AWT_LIST:
                java.awt.List list = (java.awt.List) control;
                int index = given.index("index", list.getItemCount());
                list.select(index);
                tellItem(control, list, Integer.valueOf(index), true);
                return;
            default:
                performText((java.awt.TextComponent) control);
        }
    }

    private void performText(java.awt.TextComponent field) throws BadArgument {
        if (target.deed == Target.Deed.SUBMIT)
            tell(field, new ActionEvent(field, ActionEvent.ACTION_PERFORMED, field.getText()));
        // Its peer tells of the new text.
        else field.setText(given.text("value"));
    }

    private static void pressItem(java.awt.MenuItem item) {
        if (item instanceof java.awt.CheckboxMenuItem) {
            java.awt.CheckboxMenuItem tick = (java.awt.CheckboxMenuItem) item;
            tick.setState(!tick.getState());
            int change = tick.getState() ? ItemEvent.SELECTED : ItemEvent.DESELECTED;
            tick.dispatchEvent(new ItemEvent(tick, ItemEvent.ITEM_STATE_CHANGED, tick.getLabel(), change));
        } else {
            item.dispatchEvent(new ActionEvent(item, ActionEvent.ACTION_PERFORMED, item.getActionCommand()));
        }
    }

    private static void tellItem(Component control, java.awt.ItemSelectable source, Object item, boolean isOn) {
        int change = isOn ? ItemEvent.SELECTED : ItemEvent.DESELECTED;
        tell(control, new ItemEvent(source, ItemEvent.ITEM_STATE_CHANGED, item, change));
    }

    private static void tell(Component control, AWTEvent event) {
        control.dispatchEvent(event);
    }
}
