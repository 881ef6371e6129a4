package substrate.agent.read;

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

import substrate.agent.health.Discarded;
import substrate.agent.vm.Vm;

/** Determines once for each class how its objects are read. Not thread safe. */
public final class Shapes {
    private static final int MAX_ENTRIES = 10_000;

    private static final Reference<Slot> NO_SINGLETON = new SoftReference<Slot>(null);
    private final Vm vm;
    private final Ownership ownership;
    private final Containers containers;
    private final OwnCollections own;
    private final Unwraps unwraps;
    private final Constants constants;
    /** Held softly: a shape holds fields, which would keep the app's class loaders alive. */
    private final Map<Class<?>, Reference<Shape>> known = new WeakHashMap<Class<?>, Reference<Shape>>();
    /** Cached, because every search needs it for every class. */
    private final Map<Class<?>, Reference<Slot>> singletons = new WeakHashMap<Class<?>, Reference<Slot>>();
    private final Map<Class<?>, Reference<Shape>> statics = new WeakHashMap<Class<?>, Reference<Shape>>();
    private Class<?> lastType;
    private Shape lastShape;

    public Shapes(Vm vm, Ownership ownership) {
        this.vm = vm;
        this.ownership = ownership;
        this.containers = new Containers(vm, this);
        this.own = new OwnCollections(vm, ownership, containers.last());
        this.unwraps = new Unwraps(vm);
        this.constants = new Constants(vm, this);
    }

    public Shape of(Class<?> type) {
        if (type == lastType) return lastShape;
        Reference<Shape> reference = known.get(type);
        Shape shape = reference == null ? null : reference.get();
        if (shape == null) {
            shape = create(type);
            known.put(type, new SoftReference<Shape>(shape));
        }
        lastType = type;
        lastShape = shape;
        return shape;
    }

    /** The name of an object's class, without its package. */
    public static String nameOf(Object object) {
        return SourceNames.ofClass(object.getClass());
    }

    /** Holds no object of the app until the next capture. */
    public void forgetLast() {
        lastType = null;
        lastShape = null;
        containers.forgetLast();
    }

    /** True for a collection or an array whose first elements include texts or objects of the app. */
    public boolean holdsData(Object target, Shape shape) {
        final boolean[] holds = {false};
        Container.Taker taker = new Container.Taker() {
            private int left = 16;

            @Override
            public boolean take(Object key, Object value) {
                holds[0] = holds[0] || isData(key) || isData(value);
                return !holds[0] && --left > 0;
            }
        };
        each(target, shape, taker);
        return holds[0];
    }

    /** Iterates over a collection or an array. */
    private static void each(Object target, Shape shape, Container.Taker taker) {
        if (shape.container != null) shape.container.each(target, taker);
        else if (target instanceof Object[])
            for (Object element : (Object[]) target) if (!taker.take(null, element)) return;
    }

    /** The entries of a map of the JDK; the elements of a list or a set, as values. Empty for anything else. */
    public List<Entry> entriesOf(Object map) {
        final List<Entry> entries = new ArrayList<Entry>();
        Container container = containerOf(map);
        if (container != null)
            container.each(map, new Container.Taker() {
                @Override
                public boolean take(Object key, Object value) {
                    entries.add(new Entry(key, value));
                    return entries.size() < MAX_ENTRIES;
                }
            });
        return entries;
    }

    /** The text of an object that is one; otherwise null. */
    public String textOf(Object value) {
        if (value instanceof String) return (String) value;
        Shape shape = value == null ? Shape.HIDDEN : of(value.getClass());
        return shape.live == null ? null : shape.liveText(value);
    }

    /** The text as the name of an entry in a map; null if it is none. */
    public String keyOf(Object value) {
        Shape shape = value == null ? Shape.HIDDEN : of(value.getClass());
        return shape.live == null ? null : shape.liveKey(value);
    }

    /** The names of the static fields in which a class keeps state. */
    public List<String> staticNames(Class<?> type) {
        List<String> names = new ArrayList<String>();
        for (Slot slot : ofStatics(type).slots) names.add(slot.field.getName());
        return names;
    }

    /** The name of the only element of a collection: an index or a key; null if it has none, or several. */
    public Object onlyStep(Object collection) {
        Container container = containerOf(collection);
        List<Entry> entries = entriesOf(collection);
        if (collection instanceof Object[]) return ((Object[]) collection).length == 1 ? (Object) 0 : null;
        if (container == null || entries.size() != 1) return null;
        Object key = entries.get(0).key;
        if (container.kindOf(collection) != Container.MAP || !isValue(key)) return 0;
        return key == null ? "null" : Scalars.text(key);
    }

    /** The class of the first object of the app in a collection or an array; null if there is none. */
    public Class<?> elementOf(Object target) {
        FirstOfApp first = new FirstOfApp();
        if (target != null) each(target, of(target.getClass()), first);
        return first.found;
    }

    /** Only the first entries are checked: a collection can be larger than the free heap. */
    private final class FirstOfApp implements Container.Taker {
        private int left = MAX_ENTRIES;
        private Class<?> found;

        @Override
        public boolean take(Object key, Object value) {
            if (isOfApp(value)) found = value.getClass();
            else if (isOfApp(key)) found = key.getClass();
            return found == null && --left > 0;
        }
    }

    /** True for a collection or an array whose first elements are scalars. */
    public boolean holdsOnlyValues(Object target, Shape shape) {
        if (target.getClass().isArray() && target.getClass().getComponentType().isPrimitive()) return true;
        final boolean[] holds = {true};
        Container.Taker taker = new Container.Taker() {
            private int left = 16;

            @Override
            public boolean take(Object key, Object value) {
                holds[0] = isValue(key) && isValue(value);
                return holds[0] && --left > 0;
            }
        };
        each(target, shape, taker);
        return holds[0];
    }

    private static boolean isValue(Object value) {
        return value == null || value instanceof Enum || Scalars.isFixed(value.getClass());
    }

    /** A checksum that differs after a change of a table of scalars. */
    public long markOf(Object table, Shape shape) {
        final long[] mark = {Hash.START};
        Container.Taker taker = new Container.Taker() {
            @Override
            public boolean take(Object key, Object value) {
                mark[0] = Hash.join(mark[0], System.identityHashCode(key) * 31L + System.identityHashCode(value));
                return true;
            }
        };
        each(table, shape, taker);
        return mark[0];
    }

    private boolean isOfApp(Object value) {
        return value != null && of(value.getClass()).isOfApp;
    }

    private boolean isData(Object value) {
        return value instanceof String || isOfApp(value);
    }

    /** Null if it is not a known collection. Wrappers are not resolved. */
    Container containerOf(Object target) {
        return target == null ? null : of(target.getClass()).container;
    }

    /** The collection inside its wrappers. */
    public Object behind(Object target) {
        Object at = target;
        for (int hops = 0; hops < Rules.maxWrappers && at != null; hops++) {
            Shape shape = of(at.getClass());
            if (shape.kind != Shape.WRAPPER) break;
            at = shape.unwrap(at);
        }
        return at;
    }

    private Shape create(Class<?> type) {
        try {
            if (type.isArray()) return array(type);
            if (Enum.class.isAssignableFrom(type)) return Shape.scalar(Scalars.TEXT);
            if (Rules.secretTypes.has(SourceNames.ofClass(type))) return Shape.scalar(Scalars.SECRET);
            switch (ownership.of(type)) {
                case Ownership.JDK: return ofJdk(type);
                case Ownership.AGENT: return type == Record.class || type == Entry.class ? Shape.BARE : Shape.HIDDEN;
                case Ownership.LIBRARY: return ofLibrary(type);
                case Ownership.APP: return isMadeInside(type) ? ofApp(type).madeInside() : ofApp(type);
                case Ownership.PROXY: return Shape.wrapper(unwraps.ofProxy(type), appSlots(type.getSuperclass(), null));
                default: return Shape.HIDDEN;
            }
        } catch (LinkageError broken) {
            // A class in its fields is missing: the class cannot be reflected on.
            Discarded.count("Shapes.create", broken);
            return Shape.HIDDEN;
        }
    }

    private Shape array(Class<?> type) {
        LiveTexts.Reader live = LiveTexts.of(vm, type);
        return live == null ? Shape.BARE : Shape.live(live);
    }

    private Shape ofJdk(Class<?> type) {
        int scalar = Scalars.of(type);
        if (scalar != Scalars.NONE) return Shape.scalar(scalar);
        LiveTexts.Reader live = LiveTexts.of(vm, type);
        if (live != null) return Shape.live(live);
        Unwraps.Unwrap view = unwraps.viewOf(type);
        if (view != null) return Shape.view(view);
        Unwraps.Unwrap unwrap = unwraps.of(type);
        if (unwrap != null) return Shape.wrapper(unwrap, Shape.NO_SLOTS);
        Container container = inherited(type);
        if (container != null) return Shape.parts(Shape.NO_SLOTS, container, false, false);
        return Rules.plainData.has(type.getName()) ? Shape.parts(plainSlots(type), null, true, false) : Shape.HIDDEN;
    }

    private Shape ofLibrary(Class<?> type) {
        Unwraps.Unwrap unwrap = unwraps.of(type);
        if (unwrap != null) return Shape.wrapper(unwrap, Shape.NO_SLOTS);
        LiveTexts.Reader text = LiveTexts.ofLanguage(vm, type);
        if (text != null) return Shape.live(text);
        Container container = inherited(type);
        if (container == null) container = ClojureCollections.of(vm, this, type);
        if (container == null) container = ScalaCollections.of(vm, type);
        return container == null ? Shape.HIDDEN : Shape.parts(Shape.NO_SLOTS, container, false, false);
    }

    private Shape ofApp(Class<?> type) {
        if (Rules.isMachinery(type)) return Shape.HIDDEN;
        Container container = inherited(type);
        OwnCollections.Found found = container == null ? own.of(type) : null;
        if (found != null && found.isGeneral) return Shape.parts(Shape.NO_SLOTS, found.container, false, false);
        Slot[] slots = appSlots(type, found);
        if (found != null) return Shape.parts(slots, found.container, false, true);
        return Shape.parts(slots, container, container == null && isFlat(slots), true);
    }

    /** True if the compiler gave it a field for the enclosing object, or for variables that it captured. */
    private boolean isMadeInside(Class<?> type) {
        for (Class<?> at = type; at != null && ownership.of(at) == Ownership.APP; at = at.getSuperclass())
            for (Field field : at.getDeclaredFields())
                if (field.isSynthetic() && !Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive())
                    return true;
        return false;
    }

    /** The reader of the elements that a class of the app has from the collection of the JDK that it extends. */
    private Container inherited(Class<?> type) {
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            if (at.getClassLoader() != null) continue;
            Container container = containers.of(at);
            if (container != null) return container;
        }
        return null;
    }

    /** Fields of the app's own classes, the topmost class first. */
    private Slot[] appSlots(Class<?> type, OwnCollections.Found found) {
        List<Class<?>> line = new ArrayList<Class<?>>();
        for (Class<?> at = type; at != null; at = at.getSuperclass())
            if (ownership.of(at) == Ownership.APP) line.add(at);
        Collections.reverse(line);
        List<Slot> slots = new ArrayList<Slot>();
        Set<String> names = new HashSet<String>();
        if (found != null || inherited(type) != null) Collections.addAll(names, "length", "size");
        if (Throwable.class.isAssignableFrom(type)) addMessage(type, slots, names);
        for (Class<?> at : line)
            for (Field field : at.getDeclaredFields())
                if (!Modifier.isStatic(field.getModifiers()) && !SourceNames.isNoise(field)
                    && (found == null || !found.uses(field))) add(field, at, slots, names);
        return slots.toArray(Shape.NO_SLOTS);
    }

    /** The static fields with state, read like instance fields of the class object. */
    public Shape ofStatics(Class<?> type) {
        Reference<Shape> reference = statics.get(type);
        Shape shape = reference == null ? null : reference.get();
        if (shape != null) return shape;
        List<Slot> slots = new ArrayList<Slot>();
        Set<String> names = new HashSet<String>();
        try {
            for (Field field : type.getDeclaredFields())
                if (Modifier.isStatic(field.getModifiers()) && !SourceNames.isNoise(field) && !SourceNames.isSingleton(field)
                    && !constants.isConstant(field)) add(field, type, slots, names);
        } catch (LinkageError broken) {
            Discarded.count("Shapes.ofStatics", broken);
            slots.clear();
        }
        shape = Shape.parts(slots.toArray(Shape.NO_SLOTS), null, false, true);
        statics.put(type, new SoftReference<Shape>(shape));
        return shape;
    }

    /**
     * For static fields: true if one is settable, or holds a mutable object. Otherwise they are part of the program.
     */
    public boolean holdsState(Shape statics) {
        for (Slot slot : statics.slots) {
            boolean isConstant = Constants.isUpperCase(slot.field.getName());
            if (!isConstant && !Modifier.isFinal(slot.field.getModifiers())) return true;
            Object value = slot.type == 'L' ? slot.get(null) : null;
            if (value == null) continue;
            Object inner = behind(value);
            Shape shape = inner == null ? Shape.HIDDEN : of(inner.getClass());
            if (shape.container == null ? shape.isOfApp && !isConstant
                : shape.container.size(inner) == 0 || !holdsOnlyValues(inner, shape)) return true;
        }
        return false;
    }

    /** The field with the singleton of a class; null if there is none. */
    public Slot singletonOf(Class<?> type) {
        Reference<Slot> known = singletons.get(type);
        Slot slot = known == null || known == NO_SINGLETON ? null : known.get();
        if (slot != null || known == NO_SINGLETON) return slot;
        slot = findSingleton(type);
        singletons.put(type, slot == null ? NO_SINGLETON : new SoftReference<Slot>(slot));
        return slot;
    }

    private Slot findSingleton(Class<?> type) {
        try {
            // Not looked up by name: each missing field would be an exception, which costs more than the list.
            Field[] fields = type.getDeclaredFields();
            for (Object name : Rules.singletons)
                for (Field field : fields)
                    if (field.getName().equals(name) && SourceNames.isSingleton(field) && Slot.open(vm, field))
                        return new Slot(field, field.getName(), true);
        } catch (Throwable broken) {
            // No singleton field can be read.
            Discarded.count("Shapes.findSingleton", broken);
        }
        return null;
    }

    private void add(Field field, Class<?> owner, List<Slot> slots, Set<String> names) {
        if (!Slot.open(vm, field)) return;
        String plain = SourceNames.ofField(field.getName());
        String name = plain;
        // A subclass declares a field of the same name again.
        if (!names.add(name)) name = plain + '_' + SourceNames.ofClass(owner);
        for (int count = 2; !name.equals(plain) && !names.add(name); count++) name = plain + '_' + count;
        slots.add(new Slot(field, name, showsNull(field.getType())));
    }

    private void addMessage(Class<?> type, List<Slot> slots, Set<String> names) {
        Slot message = Slot.find(vm, type, "detailMessage");
        if (message != null && names.add("message")) slots.add(new Slot(message.field, "message", true));
    }

    private Slot[] plainSlots(Class<?> type) {
        List<Slot> slots = new ArrayList<Slot>();
        for (Field field : type.getDeclaredFields())
            if (!Modifier.isStatic(field.getModifiers()) && Slot.open(vm, field))
                slots.add(new Slot(field, field.getName(), true));
        return slots.toArray(Shape.NO_SLOTS);
    }

    private boolean isFlat(Slot[] slots) {
        if (slots.length > Rules.maxFlat) return false;
        for (Slot slot : slots) {
            Class<?> type = slot.field.getType();
            if (type.isPrimitive() || Enum.class.isAssignableFrom(type)) continue;
            if (type.isArray() || ownership.of(type) != Ownership.JDK || of(type).kind != Shape.SCALAR) return false;
        }
        return true;
    }

    private boolean showsNull(Class<?> type) {
        if (type.isPrimitive() || type.isArray() || type == Object.class || type == Number.class) return true;
        int owner = ownership.of(type);
        if (owner != Ownership.JDK) return owner == Ownership.APP;
        return type.isInterface() ? Rules.dataInterfaces.has(type.getName()) : of(type).kind != Shape.NOTHING;
    }
}
