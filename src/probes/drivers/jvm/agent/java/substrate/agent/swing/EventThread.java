package substrate.agent.swing;

import java.awt.EventQueue;
import java.awt.Toolkit;
import java.awt.Window;
import java.awt.event.InvocationEvent;
import java.lang.reflect.Method;

/** Brings work to the event thread of a window. An app may have several (applets): each window knows its own. */
final class EventThread {
    private EventThread() {}

    static void post(Window window, Runnable work) {
        EventQueue queue = queueOf(window);
        if (queue == null) EventQueue.invokeLater(work);
        else queue.postEvent(new InvocationEvent(Toolkit.getDefaultToolkit(), work));
    }

    static boolean isShared(Window one, Window other) {
        return contextOf(one) == contextOf(other);
    }

    private static Object contextOf(Window window) {
        return Fields.of(window, "java.awt.Component.appContext");
    }

    /** Null where the JDK has only one, or does not let us know. */
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
            return null;
        }
    }
}
