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
import substrate.agent.screen.Fields;
import substrate.agent.screen.Memory;
import substrate.agent.screen.ScreenReport;
import substrate.agent.screen.Ui;
import substrate.agent.screen.UiRequest;
import substrate.agent.screen.Text;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * The windows of Swing and AWT. To be made only in an app in which AWT is loaded.
 *
 * A snapshot is taken on the event thread in pieces of a few milliseconds. Values are read from fields of the JDK's
 * classes; only models of the app (tables, lists, trees) are called, with the methods that painting calls. While the
 * event thread is busy the last snapshot is reported, and no second one is requested. Invisible windows are not
 * reported.
 */
public final class SwingUi implements Ui {
    public static final String EFFECT = "windows are not read, and their controls give no actions";
    private static final long WAIT_MS = 50;

    private final Vm vm;
    private final Pace pace;
    private final Memory.Registry registry;
    private final ScreenReport report = new ScreenReport("swing");
    private final FieldNames fieldNames;
    private WindowSnapshot pending;
    private List<SwingWidget> windows = Collections.emptyList();
    private volatile Map<Integer, SwingWidget> widgets = Collections.emptyMap();

    public SwingUi(Vm vm, Pace pace, Memory.Registry registry) {
        this.registry = registry;
        this.vm = vm;
        this.pace = pace;
        Fields.use(vm);
        fieldNames = new FieldNames(vm);
    }

    @Override
    public synchronized void readWindows() {
        try {
            tryToRead();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // The last snapshot is reported.
            Discarded.count("SwingUi.readWindows", e);
            if (e instanceof LinkageError) Parts.miss("swing", EFFECT, e);
            pending = null;
        }
    }

    private void tryToRead() throws Exception {
        if (pending != null) {
            // The last snapshot was late: it is better than nothing, but a new one is better.
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

    /** Classes that run on the event thread are loaded before. */
    private static void warmUp(Window window) throws Exception {
        boolean isSwing = false;
        for (Class<?> type = window.getClass(); type != null; type = type.getSuperclass())
            isSwing |= type.getName().startsWith("javax.swing.");
        String names =
            "screen.Text swing.AwtReader swing.ComponentReader"
                + (isSwing ? " swing.ControlReader swing.ListRows swing.TableRows swing.TreeRows" : "");
        for (String name : names.split(" ")) Class.forName("substrate.agent." + name);
        Fields.openPackages();
    }

    private void take(WindowSnapshot snapshot) {
        pending = null;
        if (snapshot.thrown() != null) Discarded.count("SwingUi.take", snapshot.thrown());
        windows = snapshot.windows;
        widgets = snapshot.widgets;
    }

    @Override
    public synchronized boolean hasWindows() {
        return !windows.isEmpty();
    }

    @Override
    public synchronized void report(StringBuilder out, boolean all) {
        report.write(out, windows, all);
    }

    @Override
    public Outcome use(Map<?, ?> request, Map<String, Object> args, long timeoutMs) throws BadArgument, NotDispatched {
        Object id = request.get("widget");
        SwingWidget widget = id instanceof Number ? widgets.get(((Number) id).intValue()) : null;
        Window window = widget == null ? null : widget.window.get();
        if (window == null) throw new NotDispatched("this control is not there any more");
        UiRequest asked = new UiRequest(request, args);
        return new EventCall(vm, asked.called, new Performer(widget, asked), window).await(timeoutMs);
    }
}
