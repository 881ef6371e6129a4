package substrate.agent.swing;

import java.awt.Component;
import java.awt.Dialog;
import java.awt.Frame;
import java.awt.KeyboardFocusManager;
import java.awt.Window;
import java.util.ArrayList;
import java.util.List;

/** The windows that are there. Asks no toolkit, so none is made; everything is read from fields. */
final class Windows {
    private static final FieldRef ALL = new FieldRef("java.awt.Window", "allWindows");
    private static final FieldRef ELEMENTS = new FieldRef("sun.awt.util.IdentityArrayList", "elementData");
    private static final FieldRef BLOCKER = new FieldRef("java.awt.Window", "modalBlocker");
    private static final FieldRef ACTIVE = new FieldRef("java.awt.KeyboardFocusManager", "activeWindow");
    private static final FieldRef FRAME_TITLE = new FieldRef("java.awt.Frame", "title");
    private static final FieldRef DIALOG_TITLE = new FieldRef("java.awt.Dialog", "title");
    private static final FieldRef MODAL = new FieldRef("java.awt.Dialog", "modal");
    private static final FieldRef PEER = new FieldRef("java.awt.Component", "peer");
    private static final FieldRef VISIBLE = new FieldRef("java.awt.Component", "visible");
    private static final int MAX_WINDOWS = 32;

    private Windows() {}

    /** On the screen now, the oldest first. Windows that only carry a menu or a tool tip are none. */
    static List<Window> showing() {
        List<Window> showing = new ArrayList<Window>();
        Object all = ALL.ofStatic(Window.class);
        Object elements = ELEMENTS.of(all);
        if (!(elements instanceof Object[])) return showing;
        for (Object element : (Object[]) elements) {
            if (!(element instanceof Window) || showing.size() == MAX_WINDOWS) continue;
            Window window = (Window) element;
            if (isShowing(window) && !isCarrier(window)) showing.add(window);
        }
        return showing;
    }

    static boolean isShowing(Component component) {
        return VISIBLE.flag(component) && PEER.of(component) != null;
    }

    private static boolean isCarrier(Window window) {
        return window.getClass().getName().startsWith("javax.swing.Popup$");
    }

    static Window active() {
        Object active = ACTIVE.ofStatic(KeyboardFocusManager.class);
        return active instanceof Window ? (Window) active : null;
    }

    static boolean isModal(Window window) {
        return window instanceof Dialog && MODAL.flag(window);
    }

    static boolean isBlocked(Window window) {
        Object blocker = BLOCKER.of(window);
        return blocker instanceof Window && isShowing((Window) blocker);
    }

    static String titleOf(Window window) {
        String title = window instanceof Frame ? FRAME_TITLE.text(window) : DIALOG_TITLE.text(window);
        return title == null ? "" : title;
    }

    /** What the app calls it, else its class: `MainFrame` is `main_frame`; for a class of the JDK what it is. */
    static String nameOf(Window window) {
        String own = Names.toName(ComponentReader.ownName(window));
        if (!own.isEmpty()) return own;
        Class<?> type = window.getClass();
        while (type.getName().indexOf('$') >= 0 && isNumber(type.getName())) type = type.getSuperclass();
        String name = type.getName();
        boolean isOfJdk = name.startsWith("javax.swing.") || name.startsWith("java.awt.") || name.startsWith("sun.");
        String simple = name.substring(1 + Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')));
        String plain = isOfJdk ? "" : Names.toName(simple);
        return !plain.isEmpty() ? plain : window instanceof Dialog ? "dialog" : "window";
    }

    /** `Main$1`: a class without a name. */
    private static boolean isNumber(String className) {
        return Character.isDigit(className.charAt(className.length() - 1))
            && Character.isDigit(className.charAt(className.lastIndexOf('$') + 1));
    }
}
