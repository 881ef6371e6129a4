package substrate.agent.state;

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.code.CapturedNames;
import substrate.agent.health.Discarded;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Ownership;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Slot;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * Follows all fields, breadth first and within a budget, through objects that are not shown to the first ones that are.
 */
final class HeldObjects {
    interface Visitor {
        /** An object of the app with something to show. */
        void ofApp(Object object, String origin);

        /** A collection of the JDK that code of the app holds; `name` is that of the variable, null if not known. */
        void collection(Object collection, String name, String origin);

        void ofLibrary(Object object);
    }

    private static final int MAX_ELEMENTS = 10_000;

    private final Vm vm;
    private final Pace pace;
    private final AppClasses classes;
    private final Shapes shapes;
    private final Map<Class<?>, Reference<Slot[]>> fields = new WeakHashMap<Class<?>, Reference<Slot[]>>();
    private final CapturedNames names;
    private final SeenObjects seen = new SeenObjects();
    private final ArrayDeque<Object> queue = new ArrayDeque<Object>();
    private final ArrayDeque<String> origins = new ArrayDeque<String>();

    HeldObjects(Vm vm, AppClasses classes, Shapes shapes, Pace pace) {
        this.pace = pace;
        this.vm = vm;
        names = new CapturedNames(vm);
        this.classes = classes;
        this.shapes = shapes;
    }

    void start(Object object, String origin) {
        if (object == null || seen.find(object) >= 0 || isDeadEnd(object)) return;
        seen.add(object, 0);
        queue.add(object);
        origins.add(origin);
    }

    /** Like `start`, for the fields of an object instead of the object itself. */
    void startFields(Object object, String origin) {
        if (!classes.isDeadEnd(object.getClass())) follow(object, origin);
    }

    /** Starts from the captured variables of an object of the app that is shown; other objects are started themselves. */
    void startInside(Object object, String origin, Visitor visitor) {
        if (object != null && classes.of(object.getClass()) == Ownership.APP) captured(object, origin, true, visitor);
        else start(object, origin);
    }

    /**
     * Follows from the started objects; true if all were visited within the budget. Visited objects are not visited
     * again later.
     */
    boolean run(Visitor visitor, int maxObjects, int maxOfLibraries, long until) {
        int objects = maxObjects;
        int ofLibraries = maxOfLibraries;
        while (!queue.isEmpty()) {
            if ((objects & 63) == 0) pace.step();
            if (objects-- <= 0 || pace.isPast(until)) {
                queue.clear();
                origins.clear();
                return false;
            }
            Object object = queue.poll();
            String origin = origins.poll();
            if (object instanceof Object[]) {
                elements((Object[]) object, origin);
                continue;
            }
            Class<?> type = object.getClass();
            int owner = classes.of(type);
            if (owner == Ownership.APP) {
                Shape shape = shapes.of(type);
                boolean shows = shape.kind == Shape.PARTS && !shape.showsNothing();
                if (shows && shape.isOfApp) visitor.ofApp(object, origin);
                else if (shows && shapes.holdsData(object, shape)) visitor.collection(object, null, origin);
                // The captured variables of an inner class are not fields in its source.
                captured(object, origin, shows, visitor);
                continue;
            }
            if (owner == Ownership.LIBRARY) {
                visitor.ofLibrary(object);
                if (ofLibraries-- <= 0) continue;
            }
            if (owner == Ownership.LAMBDA) captured(object, origin, false, visitor);
            else follow(object, origin);
        }
        return true;
    }

    /** Drops all objects of the app. */
    void clear() {
        queue.clear();
        origins.clear();
        seen.clear();
    }

    private void elements(Object[] elements, String origin) {
        int end = Math.min(elements.length, MAX_ELEMENTS);
        for (int at = 0; at < end; at++) start(elements[at], origin);
    }

    private void follow(Object object, String origin) {
        for (Slot slot : fieldsOf(object.getClass())) start(slot.get(object), origin);
    }

    /**
     * The captured variables of a lambda or an inner class; a collection counts as one thing, not as each of its
     * elements.
     */
    private void captured(Object object, String origin, boolean onlySynthetic, Visitor visitor) {
        for (Slot slot : fieldsOf(object.getClass())) {
            if (onlySynthetic && !slot.isSynthetic()) continue;
            Object value = slot.get(object);
            if (value == null) continue;
            Shape shape = shapes.of(value.getClass());
            boolean isCollection = shape.kind == Shape.PARTS && !shape.isOfApp;
            if (isCollection && shapes.holdsData(value, shape)) {
                if (seen.find(value) >= 0) continue;
                seen.add(value, 0);
                boolean isOfInnerClass = slot.name.startsWith("val$");
                String name = isOfInnerClass ? slot.name.substring(4) : names.of(object.getClass(), slot.name);
                visitor.collection(value, name, origin);
            // A collection of at most one element is not followed: the elements that come and go would become roots.
            } else if (!isCollection || ObjectReader.estimate(value, shape) > 1) start(value, origin);
        }
    }

    private boolean isDeadEnd(Object object) {
        Class<?> type = object.getClass();
        if (object instanceof String || object instanceof Class || object instanceof ClassLoader) return true;
        if (object instanceof Number || object instanceof Thread && classes.of(type) != Ownership.APP) return true;
        if (type.isArray()) return type.getComponentType().isPrimitive();
        if (object instanceof Enum) return true;
        int owner = classes.of(type);
        if (owner == Ownership.AGENT) return true;
        return owner == Ownership.JDK && classes.isDeadEnd(type);
    }

    private Slot[] fieldsOf(Class<?> type) {
        Reference<Slot[]> reference = fields.get(type);
        Slot[] slots = reference == null ? null : reference.get();
        if (slots != null) return slots;
        List<Slot> list = new ArrayList<Slot>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            // The VM's own fields of these hold classes, other threads, and the garbage collector's lists.
            if (at == Thread.class || at == ClassLoader.class || at.getName().startsWith("java.lang.ref.")) break;
            addFields(at, list);
        }
        slots = list.toArray(new Slot[0]);
        fields.put(type, new SoftReference<Slot[]>(slots));
        return slots;
    }

    private void addFields(Class<?> type, List<Slot> list) {
        Field[] declared;
        try {
            declared = type.getDeclaredFields();
        } catch (Throwable broken) {
            Discarded.count("HeldObjects.addFields", broken);
            return;
        }
        for (Field field : declared) {
            if (Modifier.isStatic(field.getModifiers())) continue;
            if (field.getType().isPrimitive() || field.getType() == String.class) continue;
            Slot slot = Slot.find(vm, type, field.getName());
            if (slot != null) list.add(slot);
        }
    }
}
