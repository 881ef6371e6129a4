package substrate.agent.read;

import java.util.HashMap;
import java.util.Map;

import substrate.agent.vm.Vm;

/** Fields by name, for structures whose nodes are of several classes. It holds classes: keep it softly or briefly. */
public final class Members {
    private final Vm vm;
    private final Map<Class<?>, Map<String, Slot>> known = new HashMap<Class<?>, Map<String, Slot>>();

    public Members(Vm vm) {
        this.vm = vm;
    }

    /** Null also where the class has no such field. */
    public Object get(Object target, String name) {
        Slot slot = target == null ? null : slot(target.getClass(), name);
        return slot == null ? null : slot.get(target);
    }

    /** 0 also where the class has no such field. */
    int number(Object target, String name) {
        Object value = get(target, name);
        return value instanceof Integer ? (Integer) value : 0;
    }

    Object[] array(Object target, String name) {
        Object value = get(target, name);
        return value instanceof Object[] ? (Object[]) value : new Object[0];
    }

    /** Null if the class has no such field, or it cannot be read. */
    Slot slot(Class<?> type, String name) {
        Map<String, Slot> slots = known.get(type);
        if (slots == null) known.put(type, slots = new HashMap<String, Slot>());
        if (!slots.containsKey(name)) slots.put(name, Slot.find(vm, type, name));
        return slots.get(name);
    }
}
