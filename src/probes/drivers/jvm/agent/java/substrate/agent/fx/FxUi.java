package substrate.agent.fx;

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
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * The windows of JavaFX. A snapshot is taken on its thread in pieces of a few milliseconds, and calls only getters and
 * the methods that painting calls. While the thread is busy the last snapshot is reported, and no second one is
 * requested.
 */
public final class FxUi implements Ui {
    public static final String EFFECT = "windows of JavaFX are not read, and their controls give no actions";
    private static final long WAIT_MS = 50;

    private final Vm vm;
    private final Pace pace;
    private final FxWindows showing;
    private final Memory.Registry registry;
    private final ScreenReport report = new ScreenReport("javafx");
    private FxSnapshot pending;
    private List<FxWidget> windows = Collections.emptyList();
    private volatile Map<Integer, FxWidget> widgets = Collections.emptyMap();

    private FxUi(Vm vm, Pace pace, Memory.Registry registry, FxWindows showing) throws ClassNotFoundException {
        this.vm = vm;
        this.pace = pace;
        this.registry = registry;
        this.showing = showing;
        Fields.use(vm);
        // Classes that run on the thread of the windows are loaded before.
        for (String name : "screen.Text fx.FxSnapshot fx.FxReader fx.FxMenus fx.FxRows".split(" "))
            Class.forName("substrate.agent." + name);
    }

    /** Null if the app has no thread of JavaFX yet. */
    public static FxUi find(Vm vm, Pace pace, Memory.Registry registry) throws ClassNotFoundException {
        FxWindows windows = FxWindows.find();
        return windows == null ? null : new FxUi(vm, pace, registry, windows);
    }

    @Override
    public synchronized void readWindows() {
        try {
            tryToRead();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // The last snapshot is reported.
            Discarded.count("FxUi.readWindows", e);
            if (e instanceof LinkageError) Parts.miss("javafx", EFFECT, e);
            pending = null;
        }
    }

    private void tryToRead() throws Exception {
        if (pending != null) {
            if (!pending.await(WAIT_MS)) return;
            take(pending);
        }
        pending = new FxSnapshot(showing, registry, pace);
        showing.post(pending);
        if (pending.await(WAIT_MS)) take(pending);
    }

    private void take(FxSnapshot snapshot) {
        pending = null;
        if (snapshot.thrown() != null) Discarded.count("FxUi.take", snapshot.thrown());
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
        FxWidget widget = id instanceof Number ? widgets.get(((Number) id).intValue()) : null;
        if (widget == null || widget.window.get() == null)
            throw new NotDispatched("this control is not there any more");
        return new FxCall(vm, showing, widget, new UiRequest(request, args)).await(timeoutMs);
    }
}
