package substrate.agent.state;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.code.ClassFile;
import substrate.agent.health.Discarded;
import substrate.agent.read.Ownership;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.vm.StackLocal;
import substrate.agent.vm.Vm;

/** Objects that only local variables of running methods hold. */
final class StackRoots {
    private static final int MAX_LOCALS = 4000;
    private static final int MAX_ROOTS = 200;

    private final Vm vm;
    private final AppClasses classes;
    private final Shapes shapes;
    private final LocalNames names = new LocalNames();
    /** The objects of the last search; null before the first. */
    private List<WeakReference<Object>> lastSeen;

    StackRoots(Vm vm, AppClasses classes, Shapes shapes) {
        this.vm = vm;
        this.classes = classes;
        this.shapes = shapes;
    }

    /**
     * Objects that two searches in a row have seen: most locals are gone in a moment. The first search takes all, so
     * that an app has state at once. `hidden` gets objects that are not shown themselves.
     */
    List<RootCandidate> find(List<Object> hidden) {
        List<RootCandidate> found = new ArrayList<RootCandidate>();
        if (!vm.seesStacks()) return found;
        StackLocal[] locals = vm.stackLocals(MAX_LOCALS).clone();
        Arrays.sort(locals, new Comparator<StackLocal>() {
            @Override
            public int compare(StackLocal left, StackLocal right) {
                if (left.threadId != right.threadId) return Long.compare(left.threadId, right.threadId);
                if (left.depth != right.depth) return Integer.compare(right.depth, left.depth);
                return Integer.compare(left.slot, right.slot);
            }
        });
        SeenObjects before = new SeenObjects();
        if (lastSeen != null)
            for (WeakReference<Object> reference : lastSeen) {
                Object object = reference.get();
                if (object != null && before.find(object) < 0) before.add(object, 0);
            }
        List<WeakReference<Object>> nowSeen = new ArrayList<WeakReference<Object>>();
        SeenObjects now = new SeenObjects();
        for (StackLocal local : locals) {
            Object object = local.object;
            if (object == null || classes.of(local.type) != Ownership.APP || now.find(object) >= 0) continue;
            if (isCommandLine(local)) continue;
            now.add(object, 0);
            Shape shape = shapes.of(object.getClass());
            if (shape.kind == Shape.SCALAR) continue;
            if (shape.kind == Shape.NOTHING || shape.showsNothing()) {
                hidden.add(object);
                continue;
            }
            // Objects in locals of main live as long as the program: there an empty list, or one of numbers, counts
            // too.
            if (!shape.isOfApp && !isOfMain(local) && !shapes.holdsData(object, shape)) continue;
            nowSeen.add(new WeakReference<Object>(object));
            if (lastSeen != null && before.find(object) < 0 || found.size() >= MAX_ROOTS) continue;
            String name = names.of(local);
            // An element of an array or a view of a list is meaningless without a name.
            if (name == null && !shape.isOfApp) continue;
            String where = local.type.getName() + '.' + local.method;
            found.add(RootCandidate.object("local", RootCandidate.nameOf(object.getClass()), name, where, object));
        }
        lastSeen = nowSeen;
        return found;
    }

    /** The arguments of the main method are known from the command line, and never change. */
    private static boolean isCommandLine(StackLocal local) {
        return local.object instanceof String[] && isOfMain(local) && local.slot == 0;
    }

    private static boolean isOfMain(StackLocal local) {
        return local.method.equals("main") && local.descriptor.equals("([Ljava/lang/String;)V");
    }
}

/** Names of local variables, as far as the class files have them. */
final class LocalNames {
    private static final String UNKNOWN = "";
    private static final String THIS = "this";
    /** Limit: a busy program is seen at ever new places of its code. */
    private static final int MAX_KNOWN = 5000;
    private final Map<Class<?>, Map<String, String>> known = new WeakHashMap<Class<?>, Map<String, String>>();
    private int count;

    /** Null if not known, or `this`. */
    String of(StackLocal local) {
        Map<String, String> names = known.get(local.type);
        String method = local.method + local.descriptor;
        // The first variable is `this` at all places of a method, or at none.
        if (names != null && local.slot == 0 && names.containsKey(method)) return null;
        String key = method + local.slot + '@' + local.place;
        String name = names == null ? null : names.get(key);
        if (name == null) {
            name = read(local);
            keep(local.type, name.equals(THIS) && local.slot == 0 ? method : key, name);
        }
        return name.equals(UNKNOWN) || name.equals(THIS) ? null : name;
    }

    private void keep(Class<?> type, String key, String name) {
        if (++count > MAX_KNOWN) {
            known.clear();
            count = 1;
        }
        Map<String, String> names = known.get(type);
        if (names == null) known.put(type, names = new HashMap<String, String>());
        names.put(key, name);
    }

    private static String read(StackLocal local) {
        try {
            byte[] bytes = ClassFile.bytesOf(local.type);
            ClassFile file = bytes == null ? null : ClassFile.parse(bytes);
            String name = file == null ? null : file.localName(local.method, local.descriptor, local.slot, local.place);
            return name == null || name.indexOf('$') >= 0 ? UNKNOWN : name;
        } catch (Throwable malformed) {
            Discarded.count("StackRoots.read", malformed);
            return UNKNOWN;
        }
    }
}
