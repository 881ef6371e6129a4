package substrate.agent.fx;

import java.lang.reflect.Constructor;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.ValueMaker;
import substrate.agent.screen.Types;
import substrate.agent.screen.UiRequest;

/** Uses a control of JavaFX as a person would, after checking that it is still the intended one. */
final class FxControl {
    private final FxWindows windows;
    private final FxWidget widget;
    private final UiRequest asked;

    FxControl(FxWindows windows, FxWidget widget, UiRequest asked) {
        this.windows = windows;
        this.widget = widget;
        this.asked = asked;
    }

    /** Runs on the thread of JavaFX, and so do the app's handlers. */
    void perform() throws Exception {
        Object control = widget.component.get();
        Object window = widget.window.get();
        List<Object> showing = windows.showing();
        if (control == null || window == null || !showing.contains(window)) throw asked.gone("is not there any more");
        if (FxWindows.isBlocked(window, showing)) throw asked.gone("cannot be used while a dialog is open");
        if (asked.operation.equals("close")) {
            close(window);
            return;
        }
        check(control, window);
        switch (asked.operation) {
            case "press": press(control); return;
            case "set": set(control); return;
            case "submit": fire(control, control.getClass(), "javafx.event.ActionEvent"); return;
            case "choose": choose(control); return;
            case "expand": case "collapse": fold(control); return;
            case "select": select(control); return;
            default: throw asked.gone("cannot do this");
        }
    }

    private void check(Object control, Object window) throws NotDispatched {
        boolean isItem = widget.kind == FxKind.ITEM;
        boolean isGroup = widget.kind == FxKind.RADIO && asked.operation.equals("choose");
        if (!isGroup && Fx.flag(control, isItem ? "isDisable" : "isDisabled")) throw asked.gone("is disabled");
        if (!isItem && !isIn(window, control)) throw asked.gone("is not shown any more");
        if (asked.words == null) return;
        String now = FxReader.labelText(control);
        if (!asked.words.equals(now)) throw asked.gone("now says \"" + now + "\"");
    }

    private static boolean isIn(Object window, Object node) {
        Object root = Fx.get(Fx.get(window, "getScene"), "getRoot");
        for (Object at = node; at != null; at = Fx.get(at, "getParent")) {
            if (!Fx.flag(at, "isVisible")) return false;
            if (at == root) return true;
        }
        return false;
    }

    private static void press(Object control) throws Exception {
        // An event alone does not tick the item; the menu would have done that.
        if (FxMenus.isTick(control)) {
            boolean isRadio = Types.isA(control, "javafx.scene.control.RadioMenuItem");
            Fx.call(control, "setSelected", isRadio || !Fx.flag(control, "isSelected"));
        }
        Fx.call(control, "fire");
    }

    private void set(Object control) throws Exception {
        Object value = asked.any("value");
        switch (widget.kind) {
            case TEXT: case PASSWORD:
                if (!Fx.flag(control, "isEditable")) throw asked.gone("cannot be written");
                Fx.call(control, "setText", asked.text("value"));
                return;
            case TITLED:
                Fx.call(control, "setExpanded", asked.flag("value"));
                return;
            case SLIDER:
                setSlider(control, asked.whole("value"));
                return;
            case SPINNER:
                setSpinner(control, value);
                return;
            case DATE:
                setDate(control, asked.text("value"));
                return;
            default:
                if (Fx.flag(control, "isSelected") != asked.flag("value")) Fx.call(control, "fire");
        }
    }

    private static void setSlider(Object slider, double value) throws Exception {
        double min = Fx.number(slider, "getMin");
        double max = Fx.number(slider, "getMax");
        if (value < min || value > max)
            throw new BadArgument("value must be from " + FxReader.whole(min) + " to " + FxReader.whole(max));
        Fx.call(slider, "setValue", value);
    }

    private void setSpinner(Object spinner, Object value) throws Exception {
        Object factory = Fx.get(spinner, "getValueFactory");
        Object now = Fx.get(factory, "getValue");
        Object wanted = value;
        if (now instanceof Number) wanted = ValueMaker.like(value, now.getClass(), "value");
        else for (Object option : Fx.list(factory, "getItems"))
            if (String.valueOf(option).equals(String.valueOf(value))) wanted = option;
        Fx.call(factory, "setValue", wanted);
        if (!String.valueOf(wanted).equals(String.valueOf(Fx.get(factory, "getValue"))))
            throw new BadArgument("value is not one that " + asked.called + " can have");
    }

    private static void setDate(Object picker, String value) throws Exception {
        try {
            Fx.call(picker, "setValue", LocalDate.parse(value.length() > 10 ? value.substring(0, 10) : value));
        } catch (DateTimeParseException e) {
            throw new BadArgument("value must be a date such as 2024-05-31");
        }
    }

    private void choose(Object control) throws Exception {
        String wanted = asked.text("value");
        if (widget.kind == FxKind.RADIO) {
            Fx.call(radio(control, wanted), "fire");
            return;
        }
        FxRows rows = FxRows.of(widget.kind, control);
        rows.read(Long.MAX_VALUE / 2 + System.nanoTime() / 2, Integer.MAX_VALUE);
        for (int at = 0; at < rows.rows.shown.size(); at++) {
            if (!wanted.equals(String.valueOf(rows.rows.shown.get(at)))) continue;
            Fx.call(FxRows.selectionOf(control), "select", at);
            return;
        }
        if (!rows.rows.isEditable) throw UiRequest.unknown(wanted);
        Fx.call(Fx.get(control, "getEditor"), "setText", wanted);
        Object converter = Fx.get(control, "getConverter");
        Fx.call(control, "setValue", converter == null ? wanted : Fx.call(converter, "fromString", wanted));
    }

    private static Object radio(Object one, String wanted) throws BadArgument {
        for (Object toggle : Fx.list(Fx.get(one, "getToggleGroup"), "getToggles"))
            if (wanted.equals(FxReader.labelText(toggle)) && !Fx.flag(toggle, "isDisabled")) return toggle;
        throw UiRequest.unknown(wanted);
    }

    private void select(Object control) throws Exception {
        FxRows rows = FxRows.of(widget.kind, control);
        rows.read(Long.MAX_VALUE / 2 + System.nanoTime() / 2, 0);
        int at = asked.index(rows.rows.total);
        Fx.call(FxRows.selectionOf(control), "clearAndSelect", at);
        Fx.call(control, "scrollTo", at);
    }

    private void fold(Object tree) throws Exception {
        int at = asked.index((int) Fx.number(tree, "getExpandedItemCount"));
        Fx.call(FxRows.treeItem(tree, at), "setExpanded", asked.operation.equals("expand"));
    }

    /** Acts like the close button of its frame: the app is asked first, and the window hides unless the app refuses. */
    private static void close(Object window) throws Exception {
        Class<?> event = Class.forName("javafx.stage.WindowEvent", false, window.getClass().getClassLoader());
        Object request = event.getField("WINDOW_CLOSE_REQUEST").get(null);
        for (Constructor<?> make : event.getConstructors())
            if (make.getParameterTypes().length == 2) fireEvent(window, make.newInstance(window, request));
    }

    private static void fire(Object target, Class<?> type, String name) throws Exception {
        Object event = Class.forName(name, false, type.getClassLoader()).getConstructor().newInstance();
        fireEvent(target, event);
    }

    private static void fireEvent(Object target, Object event) throws Exception {
        Class<?> events = Class.forName("javafx.event.Event", false, event.getClass().getClassLoader());
        Fx.callStatic(events, "fireEvent", target, event);
    }
}
