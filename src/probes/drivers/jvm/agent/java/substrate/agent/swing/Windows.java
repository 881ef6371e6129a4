package substrate.agent.swing;

import java.awt.Component;
import java.awt.Dialog;
import java.awt.EventQueue;
import java.awt.Frame;
import java.awt.KeyboardFocusManager;
import java.awt.Toolkit;
import java.awt.Window;
import java.awt.event.InvocationEvent;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import substrate.agent.health.Discarded;
import substrate.agent.screen.Fields;

/** The open windows, and access to their event threads. Everything is read from fields, so no toolkit is made. */
final class Windows {
    private static final int MAX_WINDOWS = 32;

    private Windows() {}

    /** Windows on the screen, the oldest first. Windows that only carry a menu or a tool tip do not count. */
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

    /** Runs work on the event thread of a window. An app may have several (applets): each window has its own. */
    static void post(Window window, Runnable work) {
        EventQueue queue = queueOf(window);
        if (queue == null) EventQueue.invokeLater(work);
        else queue.postEvent(new InvocationEvent(Toolkit.getDefaultToolkit(), work));
    }

    static boolean shareThread(Window one, Window other) {
        return contextOf(one) == contextOf(other);
    }

    private static Object contextOf(Window window) {
        return Fields.of(window, "java.awt.Component.appContext");
    }

    /** Null where the JDK has only one, or hides it. */
    private static EventQueue queueOf(Window window) {
        Object context = contextOf(window);
        if (context == null) return null;
        try {
            Object key = Fields.ofStatic(context.getClass(), "sun.awt.AppContext.EVENT_QUEUE_KEY");
            Method get = context.getClass().getMethod("get", Object.class);
            get.setAccessible(true);
            Object queue = get.invoke(context, key);
            return queue instanceof EventQueue ? (EventQueue) queue : null;
        } catch (Exception e) {
            Discarded.count("Windows.queueOf", e);
            return null;
        }
    }
}
