package substrate.agent.code;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/** Numbers for classes, by which the daemon is told of them. Keeps no class from being unloaded. */
public final class TypeIds {
    private final Map<Class<?>, Integer> ids = new WeakHashMap<Class<?>, Integer>();
    private final List<WeakReference<Class<?>>> types = new ArrayList<WeakReference<Class<?>>>();

    public synchronized int of(Class<?> type) {
        Integer id = ids.get(type);
        if (id == null) {
            ids.put(type, id = types.size());
            types.add(new WeakReference<Class<?>>(type));
        }
        return id;
    }

    /** Null: there is none, or it was unloaded. */
    public synchronized Class<?> type(long id) {
        return id >= 0 && id < types.size() ? types.get((int) id).get() : null;
    }
}
