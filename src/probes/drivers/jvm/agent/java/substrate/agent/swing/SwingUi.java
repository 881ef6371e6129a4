package substrate.agent.swing;

import java.awt.Window;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;
import substrate.agent.health.Discarded;
import substrate.agent.health.Parts;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * The windows of an app as a tree of facts; what they mean is decided in the daemon. To be made only in an app in
 * which AWT is loaded.
 *
 * A look runs on the event thread in pieces of a few milliseconds. Values are read from fields of the JDK's classes;
 * only models of the app (tables, lists, trees) are called, with what painting calls. When the event thread is busy
 * the last answer stands, and no second look is asked for. What cannot be seen is not reported.
 */
public final class SwingUi {
    public static final String EFFECT = "windows are not read, and their controls give no actions";
    private static final long WAIT_MS = 50;

    private final Vm vm;
    private final Pace pace;
    private final Memory.Registry registry = new Memory.Registry();
    private final ScreenReport report = new ScreenReport();
    private final FieldNames fieldNames;
    private WindowSnapshot pending;
    private List<Widget> windows = Collections.emptyList();
    private volatile Map<Integer, Widget> widgets = Collections.emptyMap();

    public SwingUi(Vm vm, Pace pace) {
        this.vm = vm;
        this.pace = pace;
        Fields.use(vm);
        fieldNames = new FieldNames(vm);
    }

    /** Looks at the windows; at each capture. */
    public synchronized void look() {
        try {
            tryToLook();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // The last answer stands.
            Discarded.count("SwingUi.look", e);
            if (e instanceof LinkageError) Parts.miss("swing", EFFECT, e);
            pending = null;
        }
    }

    private void tryToLook() throws Exception {
        if (pending != null) {
            // It was late the last time: what it has seen is better than nothing, and a new look is better than that.
            if (!pending.await(WAIT_MS)) return;
            take(pending);
        }
        List<Window> showing = Windows.showing();
        if (showing.isEmpty()) {
            windows = Collections.emptyList();
            widgets = Collections.emptyMap();
            return;
        }
        if (windows.isEmpty()) warmUp(showing.get(0));
        pending = new WindowSnapshot(showing, registry, fieldNames, pace);
        pending.start();
        if (pending.await(WAIT_MS)) take(pending);
    }

    /** The classes that run on the event thread are loaded before. */
    private static void warmUp(Window window) throws Exception {
        boolean isSwing = false;
        for (Class<?> type = window.getClass(); type != null; type = type.getSuperclass())
            isSwing |= type.getName().startsWith("javax.swing.");
        String names = "Text AwtReader ComponentReader" + (isSwing ? " ControlReader ListRows TableRows TreeRows" : "");
        for (String name : names.split(" ")) Class.forName("substrate.agent.swing." + name);
        Fields.openPackages();
    }

    private void take(WindowSnapshot snapshot) {
        pending = null;
        if (snapshot.thrown() != null) Discarded.count("SwingUi.take", snapshot.thrown());
        windows = snapshot.windows;
        widgets = snapshot.widgets;
    }

    /** Writes what is new since the last report, or null; `all`: everything. */
    public synchronized void report(StringBuilder out, boolean all) {
        report.write(out, windows, all);
    }

    /** Runs on a thread of its own. Throws when nothing was done; what the app throws is an Outcome. */
    public Outcome use(Map<?, ?> request, Map<String, Object> args, long timeoutMs) throws BadArgument, NotDispatched {
        Object id = request.get("widget");
        Widget widget = id instanceof Number ? widgets.get(((Number) id).intValue()) : null;
        Window window = widget == null ? null : widget.window.get();
        if (window == null) throw new NotDispatched("this control is not there any more");
        return new EventCall(vm, new Performer(widget, request, args)).await(window, timeoutMs);
    }
}
