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
import substrate.agent.state.RootCandidate;
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
    /** The daemon's names for the roots, by their ids. */
    final Map<String, String> names = new HashMap<String, String>();

    Subject(int maxKeys) {
        reader = new StateReader(vm, maxKeys, Pace.free(vm), Collections.<RootSource>singletonList(this));
        reader.learn((Map<?, ?>) JsonReader.parse(System.getProperty("tables")));
    }

    static Subject of(Object root) {
        return new Subject(200_000).put("x", root);
    }

    Subject put(String name, Object root) {
        roots.put(name, root);
        return this;
    }

    @Override
    public List<RootCandidate> roots(boolean fresh) {
        List<RootCandidate> list = new ArrayList<RootCandidate>();
        for (Map.Entry<String, Object> root : roots.entrySet()) list.add(RootCandidate.made(root.getKey(), "test", root.getValue()));
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
        nameAll();
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
        for (Object[] leaf : slots.values()) {
            String path = named((String) leaf[0]);
            Check.that("the path " + path + " is there once", !state.containsKey(path));
            state.put(path, shownAs(leaf[1]));
        }
        return state;
    }

    /** As the daemon does it, in short: those that have a name first. */
    private void nameAll() {
        Map<String, Object> ids = new HashMap<String, Object>();
        for (boolean isNamed : new boolean[] {true, false})
            for (RootCandidate root : report.roots) {
                if (names.containsKey(root.id) != isNamed && !root.kind.equals("fixed")) continue;
                if (ids.containsValue(root.id)) continue;
                String wish = isNamed && names.containsKey(root.id) ? names.get(root.id) : wish(root);
                String name = wish;
                if (ids.containsKey(name) && root.kind.equals("statics")) name = last(root.type, '.').replace('$', '_');
                for (int count = 2; ids.containsKey(name); count++) name = wish + '_' + count;
                ids.put(name, root.id);
            }
        for (Map.Entry<String, Object> root : ids.entrySet()) names.put((String) root.getValue(), root.getKey());
        reader.name(ids);
    }

    private static String wish(RootCandidate root) {
        if (root.name != null) return root.name;
        String simple = last(last(root.type, '.'), '$');
        if (root.kind.equals("statics") || root.kind.equals("constants")) return simple;
        return Character.toLowerCase(simple.charAt(0)) + simple.substring(1) + (root.kind.equals("elements") ? "s" : "");
    }

    private static String last(String name, char separator) {
        return name.substring(name.lastIndexOf(separator) + 1);
    }

    /** A path with the name of its root. */
    String named(String path) {
        int end = 0;
        while (end < path.length() && Character.isDigit(path.charAt(end))) end++;
        String name = names.get(path.substring(0, end));
        Check.that("the root of " + path + " is told", name != null);
        return name + path.substring(end);
    }

    private Object shownAs(Object value) {
        if (!(value instanceof List)) return value;
        String path = (String) ((List<?>) value).get(0);
        if (path.isEmpty()) return "[ref] (the returned value)";
        return "[ref] " + (Character.isDigit(path.charAt(0)) ? named(path) : path);
    }

    /** A value that a method returned. */
    Object flatten(Object value, int maxLeaves) {
        Object flat = reader.flatten(value, maxLeaves);
        if (!(flat instanceof Map)) return flat;
        Map<Object, Object> shown = new TreeMap<Object, Object>();
        for (Map.Entry<?, ?> leaf : ((Map<?, ?>) flat).entrySet()) shown.put(leaf.getKey(), shownAs(leaf.getValue()));
        return shown;
    }

    /** The state below `x`, as text: `[0]=1 [1]=2 length=2`. */
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
