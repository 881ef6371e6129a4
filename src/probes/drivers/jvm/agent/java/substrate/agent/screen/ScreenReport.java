package substrate.agent.screen;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.read.Hash;

/** The last report of the widgets. Each widget that differs is sent again as a whole. */
public final class ScreenReport {
    /** Limit for one report; the rest comes with the next one. It depends on the maximal heap. */
    private static final int MAX_CHARACTERS =
        (int) Math.min(16L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 100);
    /** A hash of the last report of each widget. */
    private Map<Integer, Long> sent = new HashMap<Integer, Long>();
    private final String toolkit;
    private List<Integer> windows = Collections.emptyList();

    public ScreenReport(String toolkit) {
        this.toolkit = toolkit;
    }

    /** `all`: the daemon has nothing yet. Writes null where nothing is new. */
    public void write(StringBuilder out, List<? extends Widget> showing, boolean all) {
        List<Integer> now = new ArrayList<Integer>();
        for (Widget window : showing) now.add(window.memory.id);
        Map<Integer, Long> before = all ? new HashMap<Integer, Long>() : sent;
        Map<Integer, Long> after = new HashMap<Integer, Long>();
        StringBuilder changed = new StringBuilder();
        for (Widget window : showing) add(changed, window, before, after);
        StringBuilder removed = new StringBuilder();
        for (Integer id : before.keySet())
            if (!after.containsKey(id)) removed.append(removed.length() == 0 ? "" : ",").append(id);
        boolean isSame = !all && changed.length() == 0 && removed.length() == 0 && now.equals(windows);
        sent = after;
        windows = now;
        if (isSame) out.append("null");
        else
            out.append("{\"toolkit\":\"").append(toolkit).append("\",\"full\":").append(all).append(",\"windows\":").append(now)
                .append(",\"widgets\":[").append(changed).append("],\"removed\":[").append(removed).append("]}");
    }

    private static void add(
        StringBuilder changed, Widget widget, Map<Integer, Long> before, Map<Integer, Long> after) {
        Integer id = Integer.valueOf(widget.memory.id);
        StringBuilder json = new StringBuilder();
        widget.write(json);
        Long hash = Hash.of(json);
        Long known = before.get(id);
        boolean isNew = !hash.equals(known);
        boolean fits = changed.length() + json.length() <= MAX_CHARACTERS || changed.length() == 0;
        if (isNew && fits) changed.append(changed.length() == 0 ? "" : ",").append(json);
        if (!isNew || fits) after.put(id, hash);
        else if (known != null) after.put(id, known);
        for (Widget child : widget.children) add(changed, child, before, after);
    }
}
