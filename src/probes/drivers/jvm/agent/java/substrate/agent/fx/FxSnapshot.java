package substrate.agent.fx;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import substrate.agent.health.Discarded;
import substrate.agent.screen.Memory;
import substrate.agent.screen.RowReader;
import substrate.agent.vm.Pace;

/**
 * All windows as they are now, read on the thread of JavaFX in pieces of a few milliseconds between which the app goes
 * on. The result holds no objects of the app.
 */
final class FxSnapshot implements Runnable {
    private static final long PIECE_NANOS = 4000000L;
    private static final int MAX_WIDGETS = 5000;
    /** Limit for all nodes: a scene has more layout nodes than controls. */
    private static final int MAX_NODES = 50000;

    /** Windows, the oldest first. */
    final List<FxWidget> windows = new ArrayList<FxWidget>();
    final Map<Integer, FxWidget> widgets = new HashMap<Integer, FxWidget>();
    final Memory.Registry registry;
    private final FxWindows all;
    private final Pace pace;
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile Throwable thrown;
    private ArrayDeque<NodeTask> tasks = new ArrayDeque<NodeTask>();
    private boolean isBegun;
    private int nodes;

    /** A node to be read as a child of a widget, or the rows of that widget. */
    private static final class NodeTask {
        final Object node;
        final FxWidget widget;
        final RowReader rows;

        NodeTask(Object node, FxWidget widget, RowReader rows) {
            this.node = node;
            this.widget = widget;
            this.rows = rows;
        }
    }

    FxSnapshot(FxWindows all, Memory.Registry registry, Pace pace) {
        this.all = all;
        this.registry = registry;
        this.pace = pace;
    }

    boolean await(long millis) throws InterruptedException {
        return finished.await(millis, TimeUnit.MILLISECONDS);
    }

    /** The exception that kept it from reading a window; null if there was none. */
    Throwable thrown() {
        return thrown;
    }

    @Override
    public void run() {
        boolean isDone = true;
        long began = System.nanoTime();
        try {
            isDone = readUntil(began + PIECE_NANOS);
        } catch (Throwable e) {
            // A window that cannot be read is left out; the exception does not reach the app.
            thrown = e;
        }
        pace.add(System.nanoTime() - began);
        if (!isDone && goesOn()) return;
        tasks = null;
        finished.countDown();
    }

    private boolean goesOn() {
        try {
            all.post(this);
            return true;
        } catch (Throwable e) {
            thrown = e;
            return false;
        }
    }

    private boolean readUntil(long until) {
        if (!isBegun) begin();
        isBegun = true;
        while (!tasks.isEmpty()) {
            if (System.nanoTime() - until > 0) return false;
            NodeTask task = tasks.pop();
            if (task.rows != null) readRows(task, until);
            else tryNode(task);
        }
        return true;
    }

    private void begin() {
        List<Object> showing = all.showing();
        Map<Object, FxWidget> known = new java.util.IdentityHashMap<Object, FxWidget>();
        for (Object window : showing) if (FxWindows.isStage(window)) known.put(window, addStage(window, showing));
        for (Object window : showing) {
            if (!FxWindows.isContextMenu(window) || FxMenus.isOfMenu(window)) continue;
            FxWidget owner = known.get(Fx.get(window, "getOwnerWindow"));
            if (owner != null) FxMenus.read(this, Fx.list(window, "getItems"), add(FxKind.POPUP, window, owner));
        }
    }

    private FxWidget addStage(Object window, List<Object> showing) {
        FxWidget widget = new FxWidget(FxKind.WINDOW, window, registry.of(window), new WeakReference<Object>(window));
        Object root = Fx.get(Fx.get(window, "getScene"), "getRoot");
        widget.text = FxWindows.titleOf(window);
        widget.fact("className", window.getClass().getName());
        String type = FxReader.typeName(window.getClass());
        widget.fact("type", type != null || root == null ? type : FxReader.typeName(root.getClass()));
        boolean isModal = FxWindows.isModal(window);
        if (isModal || Fx.get(window, "getOwner") != null) widget.fact("modal", isModal);
        widget.flag("blocked", FxWindows.isBlocked(window, showing));
        widget.flag("active", Fx.flag(window, "isFocused"));
        windows.add(widget);
        widgets.put(widget.memory.id, widget);
        if (root != null) push(root, widget);
        return widget;
    }

    void push(Object node, FxWidget parent) {
        if (node != null) tasks.push(new NodeTask(node, parent, null));
    }

    /** The first node is on top of the stack, so that they come in the order of the window. */
    void pushAll(List<?> nodes, FxWidget parent) {
        for (int at = nodes.size() - 1; at >= 0; at--) push(nodes.get(at), parent);
    }

    void pushRows(FxWidget widget, RowReader rows) {
        if (widget.memory.mayAsk()) tasks.push(new NodeTask(null, widget, rows));
        else widget.rows = widget.memory.lastRows;
    }

    private void tryNode(NodeTask task) {
        if (++nodes > MAX_NODES) return;
        try {
            FxReader.read(task.node, task.widget, this);
        } catch (Throwable e) {
            // A broken node of the app is left out; the rest of the window is read.
            Discarded.count("FxSnapshot.tryNode", e);
        }
    }

    boolean isFull() {
        return widgets.size() >= MAX_WIDGETS;
    }

    FxWidget add(FxKind kind, Object node, FxWidget parent) {
        return add(kind.role, kind, node, parent);
    }

    FxWidget add(String role, FxKind kind, Object node, FxWidget parent) {
        FxWidget widget = new FxWidget(role, kind, node, registry.of(node), parent.window);
        parent.children.add(widget);
        widgets.put(widget.memory.id, widget);
        return widget;
    }

    private void readRows(NodeTask task, long until) {
        Memory memory = task.widget.memory;
        try {
            if (!task.rows.read(until, memory.maxRows)) {
                tasks.push(task);
                return;
            }
            memory.lastRows = task.rows.rows;
            memory.took(task.rows.nanos());
        } catch (Throwable e) {
            Discarded.count("FxSnapshot.readRows", e);
            memory.threw();
        }
        task.widget.rows = memory.lastRows;
    }
}
