package harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import substrate.agent.json.JsonReader;
import substrate.agent.state.CaptureReport;
import substrate.agent.state.Root;
import substrate.agent.state.RootSource;
import substrate.agent.state.StateReader;
import substrate.agent.vm.Pace;

/** A reader over one object, and the daemon's side of it: slots to paths and values. */
class Subject implements RootSource {
    final FakeVm vm = new FakeVm();
    final StateReader reader;
    CaptureReport report;
    String kind;
    private final Map<String, Object> roots = new LinkedHashMap<String, Object>();
    private Map<Long, Object[]> slots = new HashMap<Long, Object[]>();

    Subject(int maxKeys) {
        reader = new StateReader(vm, maxKeys, Pace.free(vm), Collections.<RootSource>singletonList(this));
    }

    static Subject of(Object root) {
        return new Subject(200_000).put("x", root);
    }

    Subject put(String name, Object root) {
        roots.put(name, root);
        return this;
    }

    @Override
    public List<Root> roots(boolean fresh) {
        List<Root> list = new ArrayList<Root>();
        for (Map.Entry<String, Object> root : roots.entrySet()) list.add(new Root(root.getKey(), "test", null, root.getValue()));
        return list;
    }

    Map<String, Object> full() {
        return apply(reader.capture(true, false));
    }

    Map<String, Object> next() {
        return apply(reader.capture(false, false));
    }

    private Map<String, Object> apply(CaptureReport capture) {
        report = capture;
        Map<?, ?> update = (Map<?, ?>) JsonReader.parse(capture.leaves.toString());
        kind = (String) update.get("kind");
        if (kind.equals("full")) {
            slots = new HashMap<Long, Object[]>();
            List<?> paths = (List<?>) update.get("paths");
            List<?> values = (List<?>) update.get("values");
            Check.same("as many paths as values", paths.size(), values.size());
            for (int at = 0; at < paths.size(); at++) slots.put((long) at, new Object[] {paths.get(at), values.get(at)});
        } else if (kind.equals("delta")) {
            for (Object slot : (List<?>) update.get("removed")) Check.that("removed slot is there", slots.remove(slot) != null);
            for (Object entry : (List<?>) update.get("added")) {
                List<?> added = (List<?>) entry;
                Check.that("added slot is new", slots.put((Long) added.get(0), new Object[] {added.get(1), added.get(2)}) == null);
            }
            for (Object entry : (List<?>) update.get("changed")) {
                List<?> changed = (List<?>) entry;
                Object[] leaf = slots.get(changed.get(0));
                Check.that("changed slot is there", leaf != null);
                leaf[1] = changed.get(1);
            }
        }
        Map<String, Object> state = new TreeMap<String, Object>();
        for (Object[] leaf : slots.values())
            Check.that("the path " + leaf[0] + " is there once", !state.containsKey(leaf[0]) && put(state, leaf));
        return state;
    }

    private static boolean put(Map<String, Object> state, Object[] leaf) {
        state.put((String) leaf[0], leaf[1]);
        return true;
    }

    /** What is shown below `x`, as text: `[0]=1 [1]=2 length=2`. */
    static String shown(Object root) {
        Map<String, Object> state = of(root).full();
        Map<String, Object> below = new TreeMap<String, Object>();
        for (Map.Entry<String, Object> leaf : state.entrySet()) {
            if (!leaf.getKey().startsWith("x")) continue;
            String path = leaf.getKey().substring(1);
            below.put(path.startsWith(".") ? path.substring(1) : path, leaf.getValue());
        }
        StringBuilder out = new StringBuilder();
        for (Map.Entry<String, Object> leaf : below.entrySet())
            out.append(out.length() == 0 ? "" : " ").append(leaf.getKey()).append('=').append(leaf.getValue());
        return out.toString();
    }

    static String list(Object... values) {
        StringBuilder out = new StringBuilder();
        String[] lines = new String[values.length];
        for (int at = 0; at < values.length; at++) lines[at] = "[" + at + "]=" + values[at];
        Arrays.sort(lines);
        for (String line : lines) out.append(line).append(' ');
        return out.toString().trim();
    }
}
