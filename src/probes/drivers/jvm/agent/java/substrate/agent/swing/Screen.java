package substrate.agent.swing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import substrate.agent.act.ActionInfo;
import substrate.agent.read.Record;
import substrate.agent.state.Root;

/** What a look means: a root for each window, what can be done, and which window is in front. */
final class Screen {
    static final Screen EMPTY = new Screen();

    final List<Root> roots = new ArrayList<Root>();
    final ActionList actionList = new ActionList();
    /** Of the window in front; null without windows. */
    String title;
    String id;

    private Screen() {}

    static Screen of(Look look) {
        Screen screen = new Screen();
        List<WindowPart> windows = inOrder(look.windows);
        Names.Book book = new Names.Book();
        // Names that are known come first, so that a new window takes none away.
        for (WindowPart window : windows) if (isKept(window)) book.take(window.wanted, window.memory);
        for (WindowPart window : windows) if (!isKept(window)) book.take(window.wanted, window.memory);
        for (WindowPart window : windows) screen.add(window);
        return screen;
    }

    private static boolean isKept(WindowPart window) {
        return window.wanted.equals(window.memory.wanted);
    }

    /** The one that a person works in first, then the newest. */
    private static List<WindowPart> inOrder(List<WindowPart> windows) {
        List<WindowPart> sorted = new ArrayList<WindowPart>();
        for (WindowPart window : windows) sorted.add(0, window);
        for (WindowPart window : windows) {
            boolean isFront = window.isActive && !window.isBlocked;
            if (isFront && sorted.remove(window)) sorted.add(0, window);
        }
        List<WindowPart> blocked = new ArrayList<WindowPart>();
        for (WindowPart window : windows) if (window.isBlocked && sorted.remove(window)) blocked.add(window);
        Collections.reverse(blocked);
        sorted.addAll(blocked);
        return sorted;
    }

    private void add(WindowPart window) {
        String name = window.memory.given;
        if (id == null) {
            id = name;
            title = window.title;
        }
        Record record = new Record().put("title", window.title);
        if (window.isDialog) record.put("modal", Boolean.valueOf(window.isModal));
        actionList.begin(window);
        addArea(record, name, window.content, "title", "modal", "message");
        actionList.end(name);
        String origin = "window \"" + Names.shorten(window.title, 200) + "\" (" + window.className + ")";
        roots.add(new Root(name, origin, null, record));
    }

    private void addArea(Record record, String prefix, Part content, String... reserved) {
        Area area = new Area(content);
        Labels labels = new Labels(area);
        Names.Book book = new Names.Book();
        for (String name : reserved) book.take(name);
        PartNames names = new PartNames(area, labels, book);
        AreaRecord.fill(record, area, names, labels, book);
        actionList.addArea(prefix, area, names);
        for (Part frame : area.inner) {
            String wanted = PartNames.firstName(frame.ownName, frame.text);
            String name = book.take(wanted.isEmpty() ? "frame" : wanted, frame.memory);
            Record inner = new Record().put("title", frame.text);
            record.put(name, inner);
            addArea(inner, prefix + "." + name, frame, "title", "message");
        }
    }

    List<ActionInfo> actions() {
        return actionList.actions;
    }
}
