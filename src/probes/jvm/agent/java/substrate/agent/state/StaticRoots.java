package substrate.agent.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import substrate.agent.read.Ownership;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Slot;
import substrate.agent.vm.Vm;

/** The static fields of the app's classes, and the single objects that some classes keep there. */
final class StaticRoots {
    private final Vm vm;
    private final AppClasses classes;
    private final Shapes shapes;

    StaticRoots(Vm vm, AppClasses classes, Shapes shapes) {
        this.vm = vm;
        this.classes = classes;
        this.shapes = shapes;
    }

    /** The app's initialised classes, in the order of their names: the same at each start. */
    Class<?>[] initialised() {
        Class<?>[] loaded = vm.loadedClasses();
        int count = 0;
        for (Class<?> type : loaded) {
            if (type.isArray() || type.isPrimitive() || classes.of(type) != Ownership.APP) continue;
            if (Names.simple(type) != null && vm.isInitialised(type)) loaded[count++] = type;
        }
        Class<?>[] own = Arrays.copyOf(loaded, count);
        Arrays.sort(own, new Comparator<Class<?>>() {
            @Override
            public int compare(Class<?> left, Class<?> right) {
                return left.getName().compareTo(right.getName());
            }
        });
        return own;
    }

    /**
     * `hidden` gets what the fields hold without it being shown: it may lead to state. `passed`: what is shown, but
     * of a library that is the app itself, so that there may be sessions or beans behind it.
     */
    List<Found> find(List<Object> hidden, List<Object> passed) {
        List<Found> statics = new ArrayList<Found>();
        List<Found> singletons = new ArrayList<Found>();
        for (Class<?> type : initialised()) {
            Slot singleton = shapes.singletonOf(type);
            Object single = singleton == null ? null : singleton.get(null);
            if (single != null && classes.of(single.getClass()) != Ownership.LIBRARY)
                singletons.add(Found.object(Names.decapitalised(type), "single object of " + type.getName(), single));
            Shape shape = shapes.ofStatics(type);
            if (shape.showsNothing()) continue;
            List<Object> shown = classes.isOfLibrary(type) ? passed : null;
            if (shape.gatherHidden(shapes, hidden, shown)) statics.add(Found.statics(type));
        }
        statics.addAll(singletons);
        return statics;
    }
}
