package substrate.agent.fx;

import java.util.ArrayList;
import java.util.List;
import substrate.agent.health.Discarded;
import substrate.agent.screen.Types;

/** The open windows, and access to their thread. */
final class FxWindows {
    private static final int MAX_WINDOWS = 32;
    private static final String THREAD = "JavaFX Application Thread";
    private final Class<?> windowClass;
    private final Class<?> platform;

    private FxWindows(Class<?> windowClass, Class<?> platform) {
        this.windowClass = windowClass;
        this.platform = platform;
    }

    /** Null if the app has no thread of JavaFX. Nothing is loaded into such an app. */
    static FxWindows find() throws ClassNotFoundException {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) group = group.getParent();
        Thread[] threads = new Thread[group.activeCount() * 2 + 16];
        int count = group.enumerate(threads, true);
        for (int at = 0; at < count; at++) {
            if (!THREAD.equals(threads[at].getName())) continue;
            ClassLoader loader = threads[at].getContextClassLoader();
            Class<?> window = Class.forName("javafx.stage.Window", false, loader);
            return new FxWindows(window, Class.forName("javafx.application.Platform", false, loader));
        }
        return null;
    }

    /** Call it on the thread of JavaFX, or accept that a window may be missing. */
    List<Object> showing() {
        List<Object> showing = new ArrayList<Object>();
        try {
            // JavaFX 8 has another name for this method.
            Object all = Fx.callStatic(windowClass, "getWindows");
            if (all == null) all = Fx.callStatic(windowClass, "impl_getWindows");
            if (all instanceof List)
                for (int at = 0; at < ((List<?>) all).size(); at++) add(((List<?>) all).get(at), showing);
            else if (all instanceof java.util.Iterator)
                while (((java.util.Iterator<?>) all).hasNext()) add(((java.util.Iterator<?>) all).next(), showing);
        } catch (Throwable e) {
            Discarded.count("FxWindows.showing", e);
        }
        return showing;
    }

    private static void add(Object window, List<Object> showing) {
        if (window != null && showing.size() < MAX_WINDOWS && Fx.flag(window, "isShowing")) showing.add(window);
    }

    void post(Runnable work) throws Exception {
        Fx.callStatic(platform, "runLater", work);
    }

    static boolean isStage(Object window) {
        return Types.isA(window, "javafx.stage.Stage");
    }

    static boolean isContextMenu(Object window) {
        return Types.isA(window, "javafx.scene.control.ContextMenu");
    }

    static boolean isModal(Object window) {
        return !"NONE".equals(modality(window));
    }

    private static String modality(Object window) {
        Object modality = isStage(window) ? Fx.get(window, "getModality") : null;
        return modality instanceof Enum ? ((Enum<?>) modality).name() : "NONE";
    }

    /** True if a modal window that opened later blocks it. `showing`: the oldest first. */
    static boolean isBlocked(Object window, List<Object> showing) {
        for (int at = showing.indexOf(window) + 1; at < showing.size(); at++) {
            String modality = modality(showing.get(at));
            if (modality.equals("APPLICATION_MODAL")) return true;
            if (modality.equals("WINDOW_MODAL") && isOwner(window, showing.get(at))) return true;
        }
        return false;
    }

    private static boolean isOwner(Object window, Object dialog) {
        Object owner = Fx.get(dialog, "getOwner");
        for (int depth = 0; owner != null && depth < MAX_WINDOWS; depth++) {
            if (owner == window) return true;
            owner = isStage(owner) ? Fx.get(owner, "getOwner") : null;
        }
        return false;
    }

    static String titleOf(Object window) {
        String title = Fx.text(window, "getTitle");
        return title == null ? "" : title;
    }
}
