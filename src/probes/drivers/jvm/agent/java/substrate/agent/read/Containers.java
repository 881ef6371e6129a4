package substrate.agent.read;

import substrate.agent.health.Parts;
import substrate.agent.vm.Vm;

/** Knows the collections of java.util by name, and the private fields of their elements. */
final class Containers {
    private final Vm vm;
    private final Shapes shapes;
    private final Container.Last last = new Container.Last();

    Containers(Vm vm, Shapes shapes) {
        this.vm = vm;
        this.shapes = shapes;
    }

    Container.Last last() {
        return last;
    }

    void forgetLast() {
        last.forget();
    }

    /** The container for a class of the JDK; null if it is not a known collection, or cannot be read. */
    Container of(Class<?> type) {
        try {
            Container list = list(type, type.getName());
            if (list != null) return list;
            Container set = set(type, type.getName());
            return set != null ? set : map(type, type.getName());
        } catch (Missing otherVersion) {
            Parts.miss("collections", type.getName() + " is closed or of an unknown version: its elements are not read");
            return null;
        }
    }

    private Container list(Class<?> type, String name) {
        switch (name) {
            case "java.util.ArrayList": return new Lists.ArrayBacked(in(type, "elementData"), in(type, "size"));
            case "java.util.Vector": return new Lists.ArrayBacked(in(type, "elementData"), in(type, "elementCount"));
            case "java.util.Arrays$ArrayList": return new Lists.ArrayBacked(in(type, "a"), null);
            case "java.util.concurrent.CopyOnWriteArrayList": return new Lists.ArrayBacked(in(type, "array"), null);
            case "java.util.PriorityQueue":
            case "java.util.concurrent.PriorityBlockingQueue":
                return new Lists.ArrayBacked(in(type, "queue"), in(type, "size"));
            case "java.util.ImmutableCollections$ListN": return new Lists.ArrayBacked(in(type, "elements"), null);
            case "java.util.ImmutableCollections$List0": return new Lists.Empty(Container.LIST, null);
            case "java.util.ImmutableCollections$List1": return new Lists.Singles(Container.LIST, in(type, "e0"));
            case "java.util.ImmutableCollections$List2":
            case "java.util.ImmutableCollections$List12":
                return new Lists.Singles(Container.LIST, in(type, "e0"), in(type, "e1"));
            case "java.util.ImmutableCollections$SubList":
                return new Lists.Window(shapes, in(type, "root"), in(type, "offset"), in(type, "size"));
            case "java.util.ArrayList$SubList":
                return new Lists.Window(shapes, either(type, "root", "parent"), in(type, "offset"), in(type, "size"));
            case "java.util.Collections$SingletonList": return new Lists.Singles(Container.LIST, in(type, "element"));
            case "java.util.Collections$CopiesList": return new Lists.Copies(in(type, "n"), in(type, "element"));
            case "java.util.Collections$EmptyList": return new Lists.Empty(Container.LIST, null);
            case "java.util.ArrayDeque":
                return new Lists.Ring(in(type, "elements"), in(type, "head"), in(type, "tail"), null);
            case "java.util.concurrent.ArrayBlockingQueue":
                return new Lists.Ring(in(type, "items"), in(type, "takeIndex"), null, in(type, "count"));
            case "java.util.LinkedList": return linked(in(type, "size"), in(type, "first"), null, true);
            case "java.util.concurrent.LinkedBlockingDeque":
                return linked(in(type, "count"), in(type, "first"), null, false);
            case "java.util.concurrent.LinkedBlockingQueue":
                return linked(in(type, "count"), in(type, "head"), null, false);
            case "java.util.concurrent.ConcurrentLinkedQueue": return linked(null, in(type, "head"), null, false);
            case "java.util.concurrent.ConcurrentLinkedDeque": return linked(null, in(type, "head"), "prev", false);
            default: return null;
        }
    }

    private Container set(Class<?> type, String name) {
        switch (name) {
            case "java.util.HashSet":
            case "java.util.concurrent.ConcurrentHashMap$KeySetView":
                return new Sets.Backed(Container.SET, shapes, in(type, "map"));
            case "java.util.TreeSet":
            case "java.util.concurrent.ConcurrentSkipListSet":
            case "java.util.Collections$SetFromMap":
            case "java.util.TreeMap$KeySet":
            case "java.util.concurrent.ConcurrentSkipListMap$KeySet":
                return new Sets.Backed(Container.SET, shapes, in(type, "m"));
            case "java.util.concurrent.CopyOnWriteArraySet": return new Sets.Backed(Container.SET, shapes, in(type, "al"));
            case "java.util.HashMap$KeySet":
            case "java.util.LinkedHashMap$LinkedKeySet":
                return new Sets.Backed(Container.SET, shapes, in(type, "this$0"));
            case "java.util.ImmutableCollections$SetN": return new Sets.Sparse(in(type, "elements"));
            case "java.util.ImmutableCollections$Set0": return new Lists.Empty(Container.SET, null);
            case "java.util.ImmutableCollections$Set1": return new Lists.Singles(Container.SET, in(type, "e0"));
            case "java.util.ImmutableCollections$Set2":
            case "java.util.ImmutableCollections$Set12":
                return new Lists.Singles(Container.SET, in(type, "e0"), in(type, "e1"));
            case "java.util.Collections$SingletonSet": return new Lists.Singles(Container.SET, in(type, "element"));
            case "java.util.Collections$EmptySet": return new Lists.Empty(Container.SET, null);
            case "java.util.RegularEnumSet":
            case "java.util.JumboEnumSet":
                return new Sets.Enums(in(type, "elements"), in(type, "universe"));
            default: return null;
        }
    }

    private Container map(Class<?> type, String name) {
        switch (name) {
            case "java.util.HashMap": return chained(type, "java.util.HashMap$Node", "size");
            case "java.util.Hashtable": return chained(type, "java.util.Hashtable$Entry", "count");
            // Reading a weak key would keep it alive while the collector works.
            case "java.util.WeakHashMap": return new Lists.Empty(Container.MAP, in(type, "size"));
            case "java.util.LinkedHashMap": {
                Class<?> node = named("java.util.LinkedHashMap$Entry");
                return new Maps.Chained(true, in(type, "head"), in(type, "size"),
                    in(node, "key"), in(node, "value"), in(node, "after"));
            }
            case "java.util.TreeMap": {
                Class<?> node = named("java.util.TreeMap$Entry");
                Container nodes = new Nodes.Tree(null, in(node, "key"), in(node, "value"), in(node, "left"),
                    in(node, "right"), null);
                return new Nodes.From(null, in(type, "size"), in(type, "root"), nodes);
            }
            case "java.util.concurrent.ConcurrentHashMap": return concurrent(type);
            case "java.util.concurrent.ConcurrentSkipListMap": {
                Class<?> node = named("java.util.concurrent.ConcurrentSkipListMap$Node");
                Class<?> index = named("java.util.concurrent.ConcurrentSkipListMap$Index");
                return new ConcurrentMaps.SkipList(last, in(type, "head"), in(index, "node"), in(node, "key"),
                    either(node, "val", "value"), in(node, "next"));
            }
            case "java.util.TreeMap$AscendingSubMap": return range(type, "java.util.TreeMap", null, false);
            case "java.util.TreeMap$DescendingSubMap": return range(type, "java.util.TreeMap", null, true);
            case "java.util.concurrent.ConcurrentSkipListMap$SubMap":
                return range(type, "java.util.concurrent.ConcurrentSkipListMap", in(type, "isDescending"), false);
            case "java.util.Properties": {
                Slot map = Slot.find(vm, type, "map");
                return map == null ? null : new Sets.Backed(Container.MAP, shapes, map);
            }
            case "java.util.EnumMap": return new Maps.Parallel(in(type, "keyUniverse"), in(type, "vals"));
            case "java.util.IdentityHashMap":
            case "java.util.ImmutableCollections$MapN":
                return new Maps.Alternating(in(type, "table"));
            case "java.util.ImmutableCollections$Map0": return new Lists.Empty(Container.MAP, null);
            case "java.util.ImmutableCollections$Map1": return new Maps.Single(in(type, "k0"), in(type, "v0"));
            case "java.util.Collections$SingletonMap": return new Maps.Single(in(type, "k"), in(type, "v"));
            case "java.util.Collections$EmptyMap": return new Lists.Empty(Container.MAP, null);
            default: return null;
        }
    }

    private Lists.Linked linked(Slot size, Slot first, String previous, boolean takesNull) {
        Class<?> node = first.field.getType();
        Slot back = previous == null ? null : in(node, previous);
        return new Lists.Linked(last, size, first, in(node, "item"), in(node, "next"), back, takesNull);
    }

    private Container range(Class<?> type, String whole, Slot isDescending, boolean descends) {
        Slot[] bounds = {in(type, "lo"), in(type, "hi"), in(type, "loInclusive"), in(type, "hiInclusive")};
        Slot comparator = in(named(whole), "comparator");
        return new Range(last, shapes, in(type, "m"), comparator, bounds, isDescending, descends);
    }

    private Container chained(Class<?> type, String nodeName, String size) {
        Class<?> node = named(nodeName);
        return new Maps.Chained(false, in(type, "table"), in(type, size),
            in(node, "key"), in(node, "value"), in(node, "next"));
    }

    private Container concurrent(Class<?> type) {
        String name = type.getName();
        Class<?> node = named(name + "$Node");
        return new ConcurrentMaps.Hashed(new Slot[] {
            in(type, "table"), in(type, "baseCount"), in(type, "counterCells"),
            in(named(name + "$CounterCell"), "value"),
            in(node, "key"), in(node, "val"), in(node, "next"), in(named(name + "$ForwardingNode"), "nextTable"),
            in(named(name + "$TreeBin"), "first"),
        });
    }

    private Slot in(Class<?> type, String name) {
        Slot slot = Slot.find(vm, type, name);
        if (slot == null) throw new Missing();
        return slot;
    }

    private Slot either(Class<?> type, String name, String other) {
        Slot slot = Slot.find(vm, type, name);
        return slot != null ? slot : in(type, other);
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException absent) {
            throw new Missing();
        }
    }

    /** The fields are different in this JDK. */
    private static final class Missing extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Missing() {
            super(null, null, false, false);
        }
    }
}
