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
    private static final int MAX_WINDOWS = 32;

    private Windows() {}

    /** On the screen now, the oldest first. Windows that only carry a menu or a tool tip are none. */
    static List<Window> showing() {
        List<Window> showing = new ArrayList<Window>();
        Object all = Fields.ofStatic(Window.class, "java.awt.Window.allWindows");
        Object elements = Fields.of(all, "sun.awt.util.IdentityArrayList.elementData");
        if (!(elements instanceof Object[])) return showing;
        for (Object element : (Object[]) elements) {
            if (!(element instanceof Window) || showing.size() == MAX_WINDOWS) continue;
            Window window = (Window) element;
            if (isShowing(window) && !isCarrier(window)) showing.add(window);
        }
        return showing;
    }

    static boolean isShowing(Component component) {
        return Fields.flag(component, "java.awt.Component.visible")
            && Fields.of(component, "java.awt.Component.peer") != null;
    }

    private static boolean isCarrier(Window window) {
        return window.getClass().getName().startsWith("javax.swing.Popup$");
    }

    static Window active() {
        Object active = Fields.ofStatic(KeyboardFocusManager.class, "java.awt.KeyboardFocusManager.activeWindow");
        return active instanceof Window ? (Window) active : null;
    }

    static boolean isModal(Window window) {
        return window instanceof Dialog && Fields.flag(window, "java.awt.Dialog.modal");
    }

    static boolean isBlocked(Window window) {
        Object blocker = Fields.of(window, "java.awt.Window.modalBlocker");
        return blocker instanceof Window && isShowing((Window) blocker);
    }

    static String titleOf(Window window) {
        String title = Fields.text(window, window instanceof Frame ? "java.awt.Frame.title" : "java.awt.Dialog.title");
        return title == null ? "" : title;
    }
}
