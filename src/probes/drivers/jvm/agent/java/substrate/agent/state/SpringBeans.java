package substrate.agent.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

import substrate.agent.read.Entry;
import substrate.agent.read.Ownership;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Slot;
import substrate.agent.vm.Vm;

/** The singletons of Spring's containers, by the names of the beans. */
final class SpringBeans {
    private static final String REGISTRY = "org.springframework.beans.factory.support.DefaultSingletonBeanRegistry";

    private final Vm vm;
    private final AppClasses classes;
    private final Shapes shapes;

    SpringBeans(Vm vm, AppClasses classes, Shapes shapes) {
        this.vm = vm;
        this.classes = classes;
        this.shapes = shapes;
    }

    static boolean isRegistry(Object object) {
        return AppClasses.isOf(REGISTRY, object);
    }

    List<RootCandidate> beansOf(Object registry) {
        List<RootCandidate> beans = new ArrayList<RootCandidate>();
        Slot slot = Slot.find(vm, registry.getClass(), "singletonObjects");
        Object map = slot == null ? null : slot.get(registry);
        for (Entry entry : shapes.entriesOf(map)) {
            Object bean = entry.value;
            if (!(entry.key instanceof String) || bean == null) continue;
            Shape shape = shapes.of(bean.getClass());
            if (shape.kind == Shape.WRAPPER) {
                bean = shape.unwrap(bean);
                if (bean == null) continue;
            }
            int owner = classes.of(bean.getClass());
            if (owner != Ownership.APP && owner != Ownership.PROXY) continue;
            beans.add(RootCandidate.object("bean", bean.getClass().getName(), (String) entry.key, null, bean));
        }
        Collections.sort(beans, new Comparator<RootCandidate>() {
            @Override
            public int compare(RootCandidate left, RootCandidate right) {
                return lastPart(left.name).compareTo(lastPart(right.name));
            }
        });
        return beans;
    }

    /** A bean without a name of its own is named by its class with the package. */
    private static String lastPart(String name) {
        int dot = name.lastIndexOf('.');
        if (dot < 0 || dot == name.length() - 1) return name;
        return Character.toLowerCase(name.charAt(dot + 1)) + name.substring(dot + 2);
    }
}
