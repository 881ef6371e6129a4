package substrate.agent.state;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import substrate.agent.read.Entry;
import substrate.agent.read.Members;
import substrate.agent.read.Record;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Slot;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * Named variables of a REPL or a script: the vars of Clojure's namespaces, the bindings of Groovy's scripts, the
 * variables of JShell. The search for them is rare; their values are read at each capture.
 */
final class Variables {
    private static final String NAMESPACE = "clojure.lang.Namespace";
    private static final String VAR = "clojure.lang.Var";
    private static final String BINDING = "groovy.lang.Binding";
    private static final String SCRIPT = "groovy.lang.Script";
    private static final String SNIPPET = "REPL.$JShell$";
    private static final int MAX_VARIABLES = 2000;
    /** Clojure stores a protocol as a map with this key. */
    private static final String PROTOCOL = "on-interface";

    private final Vm vm;
    private final Pace pace;
    private final AppClasses classes;
    private final Shapes shapes;
    private Map<String, Namespace> namespaces = new TreeMap<String, Namespace>();
    /** The number of further vars that may be kept. */
    private int left;
    private List<WeakReference<Object>> bindings = new ArrayList<WeakReference<Object>>();
    /** Snippets by name; the latest one of each name. */
    private Map<String, WeakReference<Class<?>>> snippets = new TreeMap<String, WeakReference<Class<?>>>();

    Variables(Vm vm, AppClasses classes, Shapes shapes, Pace pace) {
        this.pace = pace;
        this.vm = vm;
        this.classes = classes;
        this.shapes = shapes;
    }

    static boolean isBinding(Object object) {
        return AppClasses.isOf(BINDING, object);
    }

    /** The binding of a script; null if the object is none. */
    Object bindingOf(Object object) {
        return AppClasses.isOf(SCRIPT, object) ? new Members(vm).get(object, "binding") : null;
    }

    void search(Class<?>[] loaded, List<Object> foundBindings) {
        Map<String, Namespace> before = namespaces;
        namespaces = new TreeMap<String, Namespace>();
        left = MAX_VARIABLES;
        Map<String, Class<?>> latest = new TreeMap<String, Class<?>>();
        for (Class<?> type : loaded) {
            String name = type.getName();
            if (name.equals(NAMESPACE) && vm.isInitialised(type)) addNamespaces(type, before);
            else if (name.startsWith(SNIPPET) && vm.isInitialised(type)) addSnippet(type, latest);
        }
        snippets = new TreeMap<String, WeakReference<Class<?>>>();
        for (Map.Entry<String, Class<?>> snippet : latest.entrySet())
            snippets.put(snippet.getKey(), new WeakReference<Class<?>>(snippet.getValue()));
        takeBindings(foundBindings);
    }

    /** Known bindings keep their places. */
    private void takeBindings(List<Object> found) {
        List<WeakReference<Object>> now = new ArrayList<WeakReference<Object>>();
        SeenObjects seen = new SeenObjects();
        for (WeakReference<Object> reference : bindings) {
            Object binding = reference.get();
            if (binding == null || seen.find(binding) >= 0) continue;
            seen.add(binding, 0);
            now.add(reference);
        }
        for (Object binding : found) {
            if (binding == null || seen.find(binding) >= 0) continue;
            seen.add(binding, 0);
            now.add(new WeakReference<Object>(binding));
        }
        bindings = now;
    }

    /** Roots for this capture. */
    List<RootCandidate> roots() {
        List<RootCandidate> roots = new ArrayList<RootCandidate>();
        for (Map.Entry<String, Space> space : spaces().children.entrySet()) {
            Record record = space.getValue().toRecord();
            if (record.size() > 0)
                roots.add(RootCandidate.variables(VAR, space.getKey(), 0, "vars of Clojure's namespaces", record));
        }
        int number = 0;
        for (WeakReference<Object> reference : bindings) {
            Object binding = reference.get();
            Record record = binding == null ? null : ofBinding(binding);
            if (record != null && record.size() > 0)
                roots.add(RootCandidate.variables(BINDING, null, ++number, "variables of a Groovy script", record));
        }
        Record record = new Record();
        for (Map.Entry<String, WeakReference<Class<?>>> snippet : snippets.entrySet()) {
            Class<?> type = snippet.getValue().get();
            Slot slot = type == null ? null : Slot.find(vm, type, snippet.getKey());
            if (slot != null) record.put(snippet.getKey(), slot.get(null));
        }
        if (record.size() > 0) roots.add(RootCandidate.variables(SNIPPET, null, 0, "variables of JShell", record));
        return roots;
    }

    private void addNamespaces(Class<?> type, Map<String, Namespace> before) {
        Slot all = Slot.find(vm, type, "namespaces");
        Members members = new Members(vm);
        for (Entry entry : shapes.entriesOf(all == null ? null : all.get(null))) {
            pace.step();
            Object namespace = entry.value;
            String name = shapes.textOf(members.get(namespace, "name"));
            if (name == null || classes.isOfLibrary(name.replace('-', '_') + '.')) continue;
            Object mappings = shapes.behind(members.get(namespace, "mappings"));
            Namespace known = before.get(name);
            // The map is immutable: a change replaces it.
            if (known == null || known.mappings.get() != mappings) {
                known = new Namespace(mappings);
                for (Entry mapping : shapes.entriesOf(mappings)) addVar(members, namespace, known, mapping.value);
            }
            left -= known.vars.size();
            if (left >= 0) namespaces.put(name, known);
        }
    }

    /** A namespace also maps the vars that it refers to in others, as in all of clojure.core. */
    private void addVar(Members members, Object namespace, Namespace known, Object mapped) {
        if (mapped == null || !mapped.getClass().getName().equals(VAR)) return;
        String name = members.get(mapped, "ns") == namespace ? shapes.textOf(members.get(mapped, "sym")) : null;
        if (name != null) known.vars.put(name, new WeakReference<Object>(mapped));
    }

    private Space spaces() {
        Space all = new Space();
        Members members = new Members(vm);
        for (Map.Entry<String, Namespace> namespace : namespaces.entrySet()) {
            Space space = all;
            for (String part : namespace.getKey().split("\\.")) space = space.child(part);
            for (Map.Entry<String, WeakReference<Object>> entry : namespace.getValue().vars.entrySet()) {
                Object var = entry.getValue().get();
                Object held = members.get(var, "root");
                if (var != null && isState(held)) space.variables.put(entry.getKey(), held);
            }
        }
        return all;
    }

    /** False for a function, a macro, a protocol, or a var that is declared and not defined. */
    private boolean isState(Object held) {
        if (held == null) return true;
        Shape shape = shapes.of(held.getClass());
        if (shape.kind == Shape.NOTHING) return false;
        return !held.getClass().getName().equals("clojure.lang.PersistentArrayMap") || !isProtocol(held);
    }

    private boolean isProtocol(Object map) {
        for (Entry entry : shapes.entriesOf(map)) if (PROTOCOL.equals(shapes.keyOf(entry.key))) return true;
        return false;
    }

    private Record ofBinding(Object binding) {
        Record record = new Record();
        for (Entry entry : shapes.entriesOf(shapes.behind(new Members(vm).get(binding, "variables")))) {
            // `args` is the command line.
            if (entry.key instanceof String && !entry.key.equals("args")) record.put((String) entry.key, entry.value);
        }
        return record;
    }

    /** A snippet that replaces another has a higher number, or the same number with a suffix. */
    private void addSnippet(Class<?> type, Map<String, Class<?>> latest) {
        for (String name : shapes.staticNames(type)) {
            Class<?> other = latest.get(name);
            if (other == null || isLater(type.getName(), other.getName())) latest.put(name, type);
        }
    }

    private static boolean isLater(String name, String other) {
        int byNumber = Integer.compare(numberOf(name), numberOf(other));
        return byNumber != 0 ? byNumber > 0 : name.compareTo(other) > 0;
    }

    private static int numberOf(String snippet) {
        int number = 0;
        for (int at = SNIPPET.length(); at < snippet.length() && Character.isDigit(snippet.charAt(at)); at++)
            number = number * 10 + snippet.charAt(at) - '0';
        return number;
    }

    /** A namespace of Clojure, with the vars that it defines. */
    private static final class Namespace {
        final WeakReference<Object> mappings;
        final Map<String, WeakReference<Object>> vars = new TreeMap<String, WeakReference<Object>>();

        Namespace(Object mappings) {
            this.mappings = new WeakReference<Object>(mappings);
        }
    }

    /** A namespace, and its child namespaces. */
    private static final class Space {
        final Map<String, Space> children = new TreeMap<String, Space>();
        final Map<String, Object> variables = new TreeMap<String, Object>();

        Space child(String name) {
            Space child = children.get(name);
            if (child == null) children.put(name, child = new Space());
            return child;
        }

        Record toRecord() {
            Record record = new Record();
            for (Map.Entry<String, Object> variable : variables.entrySet()) {
                String name = variable.getKey();
                while (children.containsKey(name)) name += '_';
                record.put(name, variable.getValue());
            }
            for (Map.Entry<String, Space> child : children.entrySet()) {
                Record inner = child.getValue().toRecord();
                if (inner.size() > 0) record.put(child.getKey(), inner);
            }
            return record;
        }
    }
}
