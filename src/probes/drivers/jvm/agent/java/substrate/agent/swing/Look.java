package substrate.agent.swing;

import java.awt.Component;
import java.awt.Window;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import substrate.agent.vm.Pace;

/**
 * One look at all windows, on the event thread, in pieces of a few milliseconds between which the app goes on. What it
 * brings back holds nothing of the app; names are made of it elsewhere.
 */
final class Look implements Runnable {
    private static final long PIECE_NANOS = 4000000L;
    private static final int MAX_PARTS = 5000;
    private static final FieldRef CHILDREN = new FieldRef("java.awt.Container", "component");
    private static final FieldRef VISIBLE = new FieldRef("java.awt.Component", "visible");
    private static final FieldRef LABEL_FOR = new FieldRef("javax.swing.JLabel", "labelFor");
    private static final FieldRef POPUP = new FieldRef("javax.swing.JMenu", "popupMenu");
    private static final FieldRef INVOKER = new FieldRef("javax.swing.JPopupMenu", "invoker");

    final List<WindowPart> windows = new ArrayList<WindowPart>();
    private final Memory.Book book;
    private final FieldNames fieldNames;
    private final Pace pace;
    private final List<Window> left;
    private final CountDownLatch finished = new CountDownLatch(1);
    private ArrayDeque<Task> tasks = new ArrayDeque<Task>();
    private IdentityHashMap<Object, String> names = new IdentityHashMap<Object, String>();
    private IdentityHashMap<Object, Part> labels = new IdentityHashMap<Object, Part>();
    private IdentityHashMap<Object, Part> seen = new IdentityHashMap<Object, Part>();
    private Window posted;
    private WindowPart current;
    private int count;

    /** Something to be read: a component, or rows of one. */
    private static final class Task {
        final Component component;
        final Part part;
        final RowReader rows;

        Task(Component component, Part part, RowReader rows) {
            this.component = component;
            this.part = part;
            this.rows = rows;
        }
    }

    Look(List<Window> showing, Memory.Book book, FieldNames fieldNames, Pace pace) {
        this.pace = pace;
        left = new ArrayList<Window>(showing);
        this.book = book;
        this.fieldNames = fieldNames;
    }

    void start() {
        if (left.isEmpty()) finished.countDown();
        else post(left.get(0));
    }

    private void post(Window window) {
        posted = window;
        EventThread.post(window, this);
    }

    boolean await(long millis) throws InterruptedException {
        return finished.await(millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void run() {
        Window next = null;
        long began = System.nanoTime();
        try {
            next = readUntil(began + PIECE_NANOS);
        } catch (Throwable e) {
            // A window that cannot be read is left out, and nothing of this reaches the app.
            tasks.clear();
            next = left.isEmpty() ? null : left.get(0);
        }
        pace.add(System.nanoTime() - began);
        if (next == null) finish();
        else post(next);
    }

    /** The window whose event thread goes on; null: all is read. */
    private Window readUntil(long until) {
        for (;;) {
            while (!tasks.isEmpty()) {
                if (System.nanoTime() - until > 0) return posted;
                Task task = tasks.pop();
                if (task.rows != null) readRows(task, until);
                else tryComponent(task);
            }
            if (left.isEmpty()) return null;
            if (System.nanoTime() - until > 0 || !EventThread.isShared(left.get(0), posted)) return left.get(0);
            begin(left.remove(0));
        }
    }

    private void finish() {
        for (IdentityHashMap.Entry<Object, Part> label : labels.entrySet()) {
            Part named = seen.get(label.getKey());
            if (named != null) named.label = label.getValue();
        }
        // Nothing of the app is kept beyond the look.
        tasks = null;
        posted = null;
        names = null;
        labels = null;
        seen = null;
        finished.countDown();
    }

    private void begin(Window window) {
        if (!Windows.isShowing(window)) return;
        current = new WindowPart(window, book.of(window), window == Windows.active());
        current.content = new Part(Kind.GROUP, null, window, current.memory);
        windows.add(current);
        fieldNames.collect(window, names);
        AwtReader.readMenus(window, current.content, book);
        pushChildren(window, current.content);
    }

    /** The first child is on top, so that parts come in the order of the window. */
    private void pushChildren(Component container, Part part) {
        List<Component> children = children(container);
        for (int at = children.size() - 1; at >= 0; at--) tasks.push(new Task(children.get(at), part, null));
    }

    @SuppressWarnings("unchecked")
    static List<Component> children(Component container) {
        Object children = CHILDREN.of(container);
        return children instanceof ArrayList ? (List<Component>) children : Collections.<Component>emptyList();
    }

    private void tryComponent(Task task) {
        try {
            readComponent(task);
        } catch (Throwable e) {
            // A component of the app that is broken is left out; the rest of the window is not.
        }
    }

    private void readComponent(Task task) {
        Component component = task.component;
        Kind kind = Kind.of(component);
        boolean isMenu = isInMenu(task.part.kind) || kind == Kind.MENU;
        if (kind == Kind.IGNORED || !VISIBLE.flag(component)) return;
        if (++count > MAX_PARTS) return;
        // A menu that is open is one of the menu bar, and read there.
        Object invoker = kind == Kind.POPUP ? INVOKER.of(component) : null;
        if (invoker != null && Kind.of(invoker) == Kind.MENU) return;
        Part part = new Part(kind, task.part, component, book.of(component));
        ComponentReader.read(component, part);
        if (!isMenu && (part.width <= 0 || part.height <= 0)) return;
        part.fieldName = names.get(component);
        task.part.parts.add(part);
        seen.put(component, part);
        readControl(component, part);
    }

    private static boolean isInMenu(Kind parent) {
        return parent == Kind.MENU || parent == Kind.POPUP || parent == Kind.MENU_BAR;
    }

    private void readControl(Component component, Part part) {
        switch (part.kind) {
            case AWT_LABEL: case AWT_BUTTON: case AWT_CHECK: case AWT_CHOICE: case AWT_LIST: case AWT_TEXT:
                AwtReader.read(component, part);
                return;
            case LIST:
                pushRows(part, component, ListRows.ofList(component));
                return;
            case COMBO:
                pushRows(part, component, ListRows.ofCombo(component));
                return;
            case TABLE:
                pushRows(part, component, new TableRows(component));
                return;
            case TREE:
                pushRows(part, component, new TreeRows(component));
                return;
            case MENU:
                ControlReader.read(component, part);
                Object popup = POPUP.of(component);
                if (popup != null) pushChildren((Component) popup, part);
                return;
            case TABS:
                pushChildren(component, part);
                pushRows(part, component, ListRows.ofTabs(component));
                return;
            case GROUP: case SCROLL: case POPUP: case MENU_BAR: case INTERNAL_FRAME: case OPTION_PANE:
                ControlReader.read(component, part);
                fieldNames.collect(component, names);
                pushChildren(component, part);
                return;
            default:
                ControlReader.read(component, part);
                Object named = part.kind == Kind.LABEL ? LABEL_FOR.of(component) : null;
                if (named != null) labels.put(named, part);
        }
    }

    private void pushRows(Part part, Component component, RowReader rows) {
        if (part.memory.mayAsk()) tasks.push(new Task(component, part, rows));
        else part.rows = part.memory.lastRows;
    }

    private void readRows(Task task, long until) {
        Memory memory = task.part.memory;
        try {
            boolean isDone = task.rows.read(until, memory.maxRows());
            if (!isDone) {
                tasks.push(task);
                return;
            }
            memory.lastRows = task.rows.rows;
            memory.took(task.rows.nanos());
        } catch (Throwable e) {
            memory.threw();
        }
        task.part.rows = memory.lastRows;
    }
}
