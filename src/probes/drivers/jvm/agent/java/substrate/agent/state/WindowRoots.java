package substrate.agent.state;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.read.Entry;
import substrate.agent.read.Ownership;
import substrate.agent.read.Shapes;
import substrate.agent.read.Slot;
import substrate.agent.vm.Vm;

/**
 * The objects that windows hold: the app's own windows and components, and their listeners. Many programs with windows
 * keep their state nowhere else. Read by fields alone: neither AWT nor Swing need be there.
 */
final class WindowRoots {
    private static final String ORIGIN = "part of a window, or listens to one";
    private static final String WINDOW = "java.awt.Window";
    private static final String CHAIN = "java.awt.AWTEventMulticaster";
    private static final String LIST = "javax.swing.event.EventListenerList";
    private static final int MAX_CHAIN = 50;
    private static final int MAX_COMPONENTS = 5000;
    /** More objects of one class are parts of windows: buttons, rows, icons. */
    private static final int MAX_OF_KIND = 2;

    private final Vm vm;
    private final AppClasses classes;
    private final Shapes shapes;
    /** The fields with listeners, by JDK class. */
    private final Map<Class<?>, Slot[]> listeners = new HashMap<Class<?>, Slot[]>();
    private Slot windows;
    private Slot elements;
    private Slot children;

    WindowRoots(Vm vm, AppClasses classes, Shapes shapes) {
        this.vm = vm;
        this.classes = classes;
        this.shapes = shapes;
    }

    void startAll(HeldObjects held, Class<?>[] loaded) {
        if (windows == null && !find(loaded)) return;
        Object list = windows.get(null);
        if (list == null) return;
        if (elements == null) elements = Slot.find(vm, list.getClass(), "elementData");
        Object shown = elements == null ? null : elements.get(list);
        if (!(shown instanceof Object[])) return;
        ArrayDeque<Object> queue = new ArrayDeque<Object>();
        for (Object window : (Object[]) shown) if (window != null) queue.add(window);
        List<Object> parts = new ArrayList<Object>();
        for (int left = MAX_COMPONENTS; left > 0 && !queue.isEmpty(); left--) {
            Object component = queue.poll();
            for (Entry child : childrenOf(component)) if (child.value != null) queue.add(child.value);
            if (classes.of(component.getClass()) == Ownership.APP) parts.add(component);
            addListeners(parts, component);
        }
        Map<Class<?>, Integer> ofKind = new HashMap<Class<?>, Integer>();
        for (Object part : parts) {
            Integer count = ofKind.get(part.getClass());
            ofKind.put(part.getClass(), count == null ? 1 : count + 1);
        }
        for (Object part : parts) if (ofKind.get(part.getClass()) <= MAX_OF_KIND) held.start(part, ORIGIN);
    }

    /** Only loaded classes are searched: nothing of AWT may be loaded into a program without windows. */
    private boolean find(Class<?>[] loaded) {
        for (Class<?> type : loaded) {
            if (type.getClassLoader() != null || !type.getName().equals(WINDOW)) continue;
            if (vm.isInitialised(type)) windows = Slot.find(vm, type, "allWindows");
            break;
        }
        return windows != null;
    }

    private List<Entry> childrenOf(Object component) {
        for (Class<?> at = component.getClass(); at != null; at = at.getSuperclass()) {
            if (!at.getName().equals("java.awt.Container")) continue;
            if (children == null) children = Slot.find(vm, at, "component");
            return children == null ? new ArrayList<Entry>() : shapes.entriesOf(children.get(component));
        }
        return new ArrayList<Entry>();
    }

    private void addListeners(List<Object> parts, Object component) {
        for (Class<?> at = component.getClass(); at != null; at = at.getSuperclass()) {
            if (at.getClassLoader() != null) continue;
            for (Slot slot : listenersOf(at)) addListener(parts, slot.get(component), 0);
        }
    }

    /** The JDK chains listeners, or stores them in a list after their types. */
    private void addListener(List<Object> parts, Object listener, int depth) {
        if (listener == null || listener instanceof Class || depth > MAX_CHAIN) return;
        if (listener instanceof Object[]) {
            for (Object element : (Object[]) listener) addListener(parts, element, depth + 1);
            return;
        }
        Class<?> type = listener.getClass();
        boolean isChain = type.getName().equals(CHAIN) || type.getName().equals(LIST);
        if (isChain) for (Slot slot : listenersOf(type)) addListener(parts, slot.get(listener), depth + 1);
        // A component that listens to another is visited as a component.
        else if (classes.of(type) != Ownership.JDK && !isComponent(type)) parts.add(listener);
    }

    private static boolean isComponent(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass())
            if (at.getName().equals("java.awt.Component")) return true;
        return false;
    }

    private Slot[] listenersOf(Class<?> type) {
        Slot[] known = listeners.get(type);
        if (known != null) return known;
        List<Slot> slots = new ArrayList<Slot>();
        for (Field field : type.getDeclaredFields()) {
            Class<?> held = field.getType();
            boolean holds = EventListener.class.isAssignableFrom(held) || held == Object[].class
                || held.getName().equals(LIST);
            Slot slot = holds && !Modifier.isStatic(field.getModifiers())
                ? Slot.find(vm, type, field.getName()) : null;
            if (slot != null) slots.add(slot);
        }
        known = slots.toArray(new Slot[0]);
        listeners.put(type, known);
        return known;
    }
}
