package substrate.agent.swing;

import java.awt.Component;
import java.awt.Dialog;
import java.awt.Window;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import substrate.agent.health.Discarded;
import substrate.agent.screen.Fields;
import substrate.agent.screen.Memory;
import substrate.agent.screen.RowReader;
import substrate.agent.vm.Pace;

/**
 * All windows as they are now, read on the event thread in pieces of a few milliseconds between which the app goes on.
 * The result holds no objects of the app.
 */
final class WindowSnapshot implements Runnable {
    private static final long PIECE_NANOS = 4000000L;
    private static final int MAX_WIDGETS = 5000;

    /** Windows, the oldest first. */
    final List<SwingWidget> windows = new ArrayList<SwingWidget>();
    final Map<Integer, SwingWidget> widgets = new HashMap<Integer, SwingWidget>();
    private final Memory.Registry registry;
    private final FieldNames fieldNames;
    private final Pace pace;
    private final List<Window> left;
    private volatile Throwable thrown;
    private final CountDownLatch finished = new CountDownLatch(1);
    private ArrayDeque<Task> tasks = new ArrayDeque<Task>();
    private IdentityHashMap<Object, String> names = new IdentityHashMap<Object, String>();
    private Window posted;

    /** A component to be read as a child of a widget, or the rows of that widget. */
    private static final class Task {
        final Component component;
        final SwingWidget widget;
        final RowReader rows;

        Task(Component component, SwingWidget widget, RowReader rows) {
            this.component = component;
            this.widget = widget;
            this.rows = rows;
        }
    }

    WindowSnapshot(List<Window> showing, Memory.Registry registry, FieldNames fieldNames, Pace pace) {
        this.pace = pace;
        left = new ArrayList<Window>(showing);
        this.registry = registry;
        this.fieldNames = fieldNames;
    }

    protected void start() {
        post(left.get(0));
    }

    private void post(Window window) {
        posted = window;
        Windows.post(window, this);
    }

    boolean await(long millis) throws InterruptedException {
        return finished.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * The exception that kept it from reading a window; null if there was none. The caller counts it: counting may need
     * memory, and throw.
     */
    Throwable thrown() {
        return thrown;
    }

    @Override
    public void run() {
        Window next = null;
        long began = System.nanoTime();
        try {
            next = readUntil(began + PIECE_NANOS);
        } catch (Throwable e) {
            // A window that cannot be read is left out; the exception does not reach the app.
            thrown = e;
            tasks.clear();
            next = left.isEmpty() ? null : left.get(0);
        }
        pace.add(System.nanoTime() - began);
        if (next != null) {
            post(next);
            return;
        }
        // No object of the app is kept after the snapshot.
        tasks = null;
        posted = null;
        names = null;
        finished.countDown();
    }

    /** The window whose event thread continues; null if all is read. */
    private Window readUntil(long until) {
        for (;;) {
            while (!tasks.isEmpty()) {
                if (System.nanoTime() - until > 0) return posted;
                Task task = tasks.pop();
                if (task.rows != null) readRows(task, until);
                else tryComponent(task);
            }
            if (left.isEmpty()) return null;
            if (System.nanoTime() - until > 0 || !Windows.shareThread(left.get(0), posted)) return left.get(0);
            begin(left.remove(0));
        }
    }

    private void begin(Window window) {
        if (!Windows.isShowing(window)) return;
        SwingWidget widget = new SwingWidget(Kind.WINDOW, window, registry.of(window), new WeakReference<Window>(window));
        widget.text = Windows.titleOf(window);
        widget.fact("className", window.getClass().getName());
        widget.fact("name", ComponentReader.ownName(window));
        widget.fact("type", ComponentReader.namedType(window.getClass()));
        if (window instanceof Dialog) widget.fact("modal", Windows.isModal(window));
        widget.flag("blocked", Windows.isBlocked(window));
        widget.flag("active", window == Windows.active());
        windows.add(widget);
        widgets.put(widget.memory.id, widget);
        fieldNames.collect(window, names);
        AwtReader.readMenus(window, widget, this);
        pushChildren(window, widget);
    }

    /** The first child is on top of the stack, so that they come in the order of the window. */
    private void pushChildren(Component container, SwingWidget widget) {
        List<Component> children = children(container);
        for (int at = children.size() - 1; at >= 0; at--) tasks.push(new Task(children.get(at), widget, null));
    }

    @SuppressWarnings("unchecked")
    static List<Component> children(Component container) {
        Object children = Fields.of(container, "java.awt.Container.component");
        return children instanceof ArrayList ? (List<Component>) children : Collections.<Component>emptyList();
    }

    private void tryComponent(Task task) {
        try {
            readComponent(task.component, task.widget);
        } catch (Throwable e) {
            // A broken component of the app is left out; the rest of the window is read.
            Discarded.count("WindowSnapshot.tryComponent", e);
        }
    }

    private void readComponent(Component component, SwingWidget parent) {
        Kind kind = Kind.of(component);
        if (kind == Kind.IGNORED || !Fields.flag(component, "java.awt.Component.visible")) return;
        // An open menu of the menu bar is read there.
        Object invoker = kind == Kind.POPUP ? Fields.of(component, "javax.swing.JPopupMenu.invoker") : null;
        if (invoker != null && Kind.of(invoker) == Kind.MENU) return;
        Kind around = parent.kind;
        boolean isMenu =
            kind == Kind.MENU || around == Kind.MENU || around == Kind.POPUP || around == Kind.MENU_BAR;
        if (!isMenu && !ComponentReader.hasSize(component)) return;
        if (widgets.size() >= MAX_WIDGETS) return;
        SwingWidget widget = new SwingWidget(kind, component, registry.of(component), parent.window);
        ComponentReader.read(component, widget);
        widget.fact("field", names.get(component));
        add(widget, parent);
        readControl(component, widget);
    }

    private void add(SwingWidget widget, SwingWidget parent) {
        parent.children.add(widget);
        widgets.put(widget.memory.id, widget);
    }

    /** Adds an item of AWT, which is not a component. Null if there are too many. */
    SwingWidget addItem(Kind kind, Object item, SwingWidget parent) {
        if (widgets.size() >= MAX_WIDGETS) return null;
        SwingWidget widget = new SwingWidget(kind, item, registry.of(item), parent.window);
        add(widget, parent);
        return widget;
    }

    private void readControl(Component component, SwingWidget widget) {
        switch (widget.kind) {
            case AWT_LABEL: case AWT_BUTTON: case AWT_CHECK: case AWT_CHOICE: case AWT_LIST: case AWT_TEXT:
                AwtReader.read(component, widget);
                return;
            case LIST:
                pushRows(widget, ListRows.ofList(component));
                return;
            case COMBO:
                pushRows(widget, ListRows.ofCombo(component));
                return;
            case TABLE:
                pushRows(widget, new TableRows(component));
                return;
            case TREE:
                pushRows(widget, new TreeRows(component));
                return;
            case MENU:
                ControlReader.read(component, widget);
                Object popup = Fields.of(component, "javax.swing.JMenu.popupMenu");
                if (popup != null) pushChildren((Component) popup, widget);
                return;
            case TABS:
                pushChildren(component, widget);
                pushRows(widget, ListRows.ofTabs(component));
                return;
            case GROUP: case SCROLL: case POPUP: case MENU_BAR: case INTERNAL_FRAME: case OPTION_PANE:
                ControlReader.read(component, widget);
                fieldNames.collect(component, names);
                pushChildren(component, widget);
                return;
            default:
                ControlReader.read(component, widget);
                Object named = Fields.of(component, "javax.swing.JLabel.labelFor");
                if (named != null) widget.fact("labelFor", registry.of(named).id);
        }
    }

    private void pushRows(SwingWidget widget, RowReader rows) {
        if (widget.memory.mayAsk()) tasks.push(new Task(null, widget, rows));
        else widget.rows = widget.memory.lastRows;
    }

    private void readRows(Task task, long until) {
        Memory memory = task.widget.memory;
        try {
            if (!task.rows.read(until, memory.maxRows)) {
                tasks.push(task);
                return;
            }
            memory.lastRows = task.rows.rows;
            memory.took(task.rows.nanos());
        } catch (Throwable e) {
            Discarded.count("WindowSnapshot.readRows", e);
            memory.threw();
        }
        task.widget.rows = memory.lastRows;
    }
}
