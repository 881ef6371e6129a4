package substrate.agent.swing;

import java.awt.Window;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import substrate.agent.act.ActionInfo;
import substrate.agent.act.ActionSource;
import substrate.agent.act.BadArgument;
import substrate.agent.act.Limit;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;
import substrate.agent.state.Root;
import substrate.agent.state.RootSource;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * The windows of an app as a person sees them: what stands in them is state, what can be used is an action. To be made
 * only in an app in which AWT is loaded.
 *
 * A look runs on the event thread in pieces of a few milliseconds. Values are read from fields of the JDK's classes;
 * only models of the app (tables, lists, trees) are called, with what painting calls. When the event thread is busy
 * the last answer stands, and no second look is asked for.
 *
 * A field that is disabled is shown like any other: that it cannot be set is told by the missing action. What cannot be
 * seen is not shown.
 */
public final class SwingUi implements RootSource, ActionSource {
    static final String SCHEME = "ui:";
    private static final long PATIENCE_MS = 50;

    private final Vm vm;
    private final Pace pace;
    private final Memory.Book book = new Memory.Book();
    private final FieldNames fieldNames;
    private Look pending;
    private volatile Screen screen = Screen.EMPTY;

    public SwingUi(Vm vm, Pace pace) {
        this.vm = vm;
        this.pace = pace;
        FieldRef.use(vm);
        fieldNames = new FieldNames(vm);
    }

    @Override
    public synchronized List<Root> roots(boolean fresh) {
        try {
            look();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // The last answer stands.
            pending = null;
        }
        return screen.roots;
    }

    private void look() throws Exception {
        if (pending != null) {
            // It was late the last time: what it has seen is better than nothing, and a new look is better than that.
            if (!pending.await(PATIENCE_MS)) return;
            take(pending);
        }
        List<Window> showing = Windows.showing();
        if (showing.isEmpty()) {
            screen = Screen.EMPTY;
            return;
        }
        if (screen == Screen.EMPTY) warmUp(showing.get(0));
        Look look = new Look(showing, book, fieldNames, pace);
        pending = look;
        look.start();
        if (look.await(PATIENCE_MS)) take(look);
    }

    /** The classes that run on the event thread are loaded before. */
    private static void warmUp(Window window) throws Exception {
        boolean isSwing = false;
        for (Class<?> type = window.getClass(); type != null; type = type.getSuperclass())
            isSwing |= type.getName().startsWith("javax.swing.");
        String names = "Text AwtReader ComponentReader" + (isSwing ? " ControlReader ListRows TableRows TreeRows" : "");
        for (String name : names.split(" ")) Class.forName("substrate.agent.swing." + name);
        FieldRef.resolveAll();
    }

    private void take(Look look) {
        pending = null;
        screen = Screen.of(look);
    }

    /** Of the window in front; null without windows. */
    public String windowTitle() {
        return screen.title;
    }

    public String windowId() {
        return screen.id;
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public List<ActionInfo> actions() {
        return Collections.unmodifiableList(screen.actions());
    }

    @Override
    public Outcome invoke(String binding, Map<String, Object> args, Limit limit) throws BadArgument, NotDispatched {
        Target target = screen.actionList.targets.get(binding);
        Window window = target == null ? null : target.window.get();
        if (window == null) throw new NotDispatched("this control is not there any more");
        return new EventCall(vm, target, args).await(window, limit.ms);
    }
}
