package substrate.agent.read;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import substrate.agent.vm.Vm;

/**
 * Collections that an app wrote itself, recognised by their names and by the fields that such a class needs. They are
 * read like those of the JDK: by their fields, without a call.
 */
final class OwnCollections {
    private static final String[] KINDS = {
        "Map", "Set", "List", "Queue", "Deque", "Stack", "Vector", "Bag", "Collection", "Dictionary", "Hashtable",
        "HashTable",
    };
    private static final String[] COUNTS = {"count", "size", "length", "num"};
    private static final String[] HEADS = {"first", "head", "front", "start"};
    private static final String[] BEGINNINGS = {"root", "first", "head", "top", "front"};

    private final Vm vm;
    private final Ownership ownership;
    private final Container.Last last;

    OwnCollections(Vm vm, Ownership ownership, Container.Last last) {
        this.vm = vm;
        this.ownership = ownership;
        this.last = last;
    }

    /** The reader of its elements. */
    static final class Found {
        final Container container;
        /** True for a generic collection: its own fields and methods say nothing of the app. */
        final boolean isGeneral;
        private final Slot[] parts;

        Found(Container container, boolean isGeneral, Slot... parts) {
            this.container = container;
            this.isGeneral = isGeneral;
            this.parts = parts;
        }

        /** True if the field is part of how it stores its elements. */
        boolean uses(Field field) {
            for (Slot part : parts) if (part != null && part.field.equals(field)) return true;
            return false;
        }
    }

    /** For a class of the app that extends no collection of the JDK; null if it is no collection. */
    Found of(Class<?> type) {
        List<Field> fields = fieldsOf(type);
        Container node = nodes(type, fields);
        if (node != null) return new Found(node, true);
        if (!isCalledSo(type)) return null;
        List<Slot> keys = arrays(fields, "key");
        if (!keys.isEmpty()) return new Found(new OwnMap(last, keys, arrays(fields, "val")), true);
        Slot count = count(fields);
        for (Field field : fields) {
            Class<?> element = field.getType().getComponentType();
            if (element == null || element.isPrimitive() || element.isArray()) continue;
            Slot array = slot(field);
            if (array == null) return null;
            boolean isGeneral = ownership.of(element) != Ownership.APP;
            Container chains = count == null || isGeneral ? null : chained(element, array, count);
            if (chains != null) return new Found(chains, true);
            Slot head = count == null ? null : slot(named(fields, int.class, HEADS));
            Container list = head == null ? new Lists.ArrayBacked(array, count)
                : new Lists.Ring(array, head, null, count);
            return new Found(list, isGeneral, array, count, head);
        }
        for (Field field : fields) {
            if (ownership.of(field.getType()) != Ownership.APP || !isAnyIn(BEGINNINGS, field)) continue;
            Container inside = nodes(field.getType(), fieldsOf(field.getType()));
            Slot beginning = inside == null ? null : slot(field);
            if (beginning != null) return new Found(new Nodes.From(last, null, beginning, inside), true);
        }
        return null;
    }

    /** Linked objects with one value each, or a key and a value: only these values are shown. */
    private Container nodes(Class<?> type, List<Field> fields) {
        List<Slot> held = new ArrayList<Slot>();
        Slot left = null;
        Slot right = null;
        Slot parent = null;
        Slot next = null;
        for (Field field : fields) {
            if (field.getType().isPrimitive()) continue;
            Slot slot = slot(field);
            if (slot == null) return null;
            if (!field.getType().isAssignableFrom(type) || field.getType() == Object.class
                || ownership.of(field.getType()) != Ownership.APP || field.getType().isInterface()) {
                held.add(slot);
                continue;
            }
            String name = field.getName().toLowerCase(Locale.ROOT);
            if (name.endsWith("left")) left = slot;
            else if (name.endsWith("right")) right = slot;
            else if (name.endsWith("parent")) parent = slot;
            else if (name.endsWith("next")) next = slot;
        }
        boolean isTree = left != null && right != null;
        if (!isTree && next == null) return null;
        Slot value = held.size() == 1 ? held.get(0) : null;
        Slot key = null;
        if (held.size() == 2) {
            key = either(held, "key");
            value = either(held, "val");
            if (key == null || value == null) return null;
        }
        if (value == null) return null;
        return isTree ? new Nodes.Tree(last, key, value, left, right, parent) : new Nodes.Chain(last, key, value, next);
    }

    private static Slot either(List<Slot> slots, String part) {
        for (Slot slot : slots) if (slot.name.toLowerCase(Locale.ROOT).contains(part)) return slot;
        return null;
    }

    private Container chained(Class<?> element, Slot table, Slot count) {
        Slot key = Slot.find(vm, element, "key");
        Slot value = Slot.find(vm, element, "value");
        if (value == null) value = Slot.find(vm, element, "val");
        Slot next = Slot.find(vm, element, "next");
        return key == null || value == null || next == null ? null : new Maps.Chained(false, table, count, key, value, next);
    }

    private boolean isCalledSo(Class<?> type) {
        for (Class<?> at = type; at != null && ownership.of(at) == Ownership.APP; at = at.getSuperclass()) {
            if (isKind(at)) return true;
            for (Class<?> kind : at.getInterfaces()) if (isKind(kind) || kind == Iterable.class) return true;
        }
        return false;
    }

    private static boolean isKind(Class<?> type) {
        String name = SourceNames.ofClass(type);
        for (String kind : KINDS) if (name.endsWith(kind)) return true;
        return false;
    }

    private List<Field> fieldsOf(Class<?> type) {
        List<Field> fields = new ArrayList<Field>();
        for (Class<?> at = type; at != null && ownership.of(at) == Ownership.APP; at = at.getSuperclass())
            for (Field field : at.getDeclaredFields())
                if (!Modifier.isStatic(field.getModifiers()) && !SourceNames.isNoise(field)) fields.add(field);
        return fields;
    }

    private List<Slot> arrays(List<Field> fields, String part) {
        List<Slot> slots = new ArrayList<Slot>();
        for (Field field : fields) {
            Class<?> element = field.getType().getComponentType();
            if (element == null || element.isArray()) continue;
            Slot slot = field.getName().toLowerCase(Locale.ROOT).contains(part) ? slot(field) : null;
            if (slot != null) slots.add(slot);
        }
        return slots;
    }

    private Slot count(List<Field> fields) {
        return slot(named(fields, int.class, COUNTS));
    }

    private static Field named(List<Field> fields, Class<?> type, String[] parts) {
        for (Field field : fields) if (field.getType() == type && isAnyIn(parts, field)) return field;
        return null;
    }

    private static boolean isAnyIn(String[] parts, Field field) {
        String name = field.getName().toLowerCase(Locale.ROOT);
        for (String part : parts) if (name.contains(part)) return true;
        return false;
    }

    private Slot slot(Field field) {
        return field != null && Slot.open(vm, field) ? new Slot(field, field.getName(), true) : null;
    }
}
