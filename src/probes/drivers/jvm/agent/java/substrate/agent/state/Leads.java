package substrate.agent.state;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects that a walk meets and does not show completely: listeners, handlers, objects of libraries. The objects that
 * they captured or hold may be state to which nothing else leads, so the next search starts with them, too. They are
 * held weakly between walks.
 */
final class Leads {
    private static final String ORIGIN = "held by an object that is not shown";
    private static final int MAX = 2000;

    private final SeenObjects seen = new SeenObjects();
    private final Object[] met = new Object[MAX];
    private int count;
    private boolean isOpen;
    private List<WeakReference<Object>> last = new ArrayList<WeakReference<Object>>();

    /** Collects from now on; earlier objects are dropped. */
    void open() {
        isOpen = true;
        forget();
    }

    void meet(Object object) {
        if (!isOpen || count == MAX || seen.find(object) >= 0) return;
        seen.add(object, count);
        met[count++] = object;
    }

    /** The walk starts again. */
    void forget() {
        java.util.Arrays.fill(met, 0, count, null);
        count = 0;
        seen.clear();
    }

    /** Called after the walk; true if there are others than last time. */
    boolean close() {
        if (!isOpen) return false;
        isOpen = false;
        boolean isNews = count != last.size();
        last = new ArrayList<WeakReference<Object>>(count);
        for (int at = 0; at < count; at++) last.add(new WeakReference<Object>(met[at]));
        forget();
        return isNews;
    }

    /** True if the walk before led to it. Its object may have been shown then, and must keep that name. */
    static boolean ledTo(RootCandidate candidate) {
        return ORIGIN.equals(candidate.where);
    }

    void startAll(HeldObjects held, HeldObjects.Visitor visitor) {
        for (WeakReference<Object> lead : last) held.startInside(lead.get(), ORIGIN, visitor);
    }
}
