package substrate.agent.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import substrate.agent.read.Ownership;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Slot;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** The static fields of the app's classes, and the singletons in them. */
final class StaticRoots {
    /** The garbage of the first reflection on a class. */
    private static final int BYTES_PER_CLASS = 5000;

    private final Vm vm;
    private final Pace pace;
    private final AppClasses classes;
    private final Shapes shapes;
    private boolean hasSearched;

    StaticRoots(Vm vm, AppClasses classes, Shapes shapes, Pace pace) {
        this.pace = pace;
        this.vm = vm;
        this.classes = classes;
        this.shapes = shapes;
    }

    /** The app's initialised classes, sorted by name: the same order at each start. */
    private Class<?>[] initialised(Class<?>[] loaded) {
        Class<?>[] own = new Class<?>[loaded.length];
        int count = 0;
        for (Class<?> type : loaded) {
            // Most classes are the VM's own: the loader is checked first, because that is cheap.
            if (type.getClassLoader() == null || type.isArray() || classes.of(type) != Ownership.APP) continue;
            if (RootCandidate.hasName(type) && vm.isInitialised(type)) own[count++] = type;
        }
        own = Arrays.copyOf(own, count);
        Arrays.sort(own, new Comparator<Class<?>>() {
            @Override
            public int compare(Class<?> left, Class<?> right) {
                return left.getName().compareTo(right.getName());
            }
        });
        return own;
    }

    /**
     * `hidden` gets the objects in fields that are not shown: they may lead to state. `deployments` gets the class
     * loaders that a server made for its apps.
     */
    List<RootCandidate> find(Class<?>[] loaded, List<Object> hidden, List<ClassLoader> deployments) {
        SeenObjects loaders = new SeenObjects();
        List<RootCandidate> found = new ArrayList<RootCandidate>();
        List<RootCandidate> ofMain = new ArrayList<RootCandidate>();
        List<RootCandidate> variables = new ArrayList<RootCandidate>();
        List<RootCandidate> constants = new ArrayList<RootCandidate>();
        for (Class<?> type : initialised(loaded)) {
            pace.step();
            if (!hasSearched) pace.allocate(BYTES_PER_CLASS);
            ClassLoader loader = type.getClassLoader();
            if (loaders.find(loader) < 0) {
                loaders.add(loader, 0);
                if (classes.of(loader.getClass()) == Ownership.LIBRARY) deployments.add(loader);
            }
            Slot singleton = shapes.singletonOf(type);
            Object single = singleton == null ? null : singleton.get(null);
            if (single != null && classes.of(single.getClass()) != Ownership.LIBRARY)
                found.add(RootCandidate.object("single", type.getName(), null, null, single));
            Shape shape = shapes.ofStatics(type);
            if (shape.showsNothing() || !shape.gatherHidden(shapes, hidden)) continue;
            // The fields of the main class are always state, even constant ones.
            boolean holdsState = classes.isMain(type) || shapes.holdsState(shape);
            List<RootCandidate> kind = classes.isMain(type) ? ofMain : holdsState ? variables : constants;
            kind.add(RootCandidate.statics(type, holdsState));
        }
        hasSearched = true;
        // An object that several roots hold is shown at the first one: the main class is where a person expects it.
        found.addAll(ofMain);
        found.addAll(variables);
        found.addAll(constants);
        return found;
    }
}
