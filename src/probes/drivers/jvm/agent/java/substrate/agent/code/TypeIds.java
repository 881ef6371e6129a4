package substrate.agent.code;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/** Ids of classes, by which reports refer to them. It keeps no class from being unloaded. */
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

    /** Null if there is none, or it was unloaded. */
    public synchronized Class<?> type(long id) {
        return id >= 0 && id < types.size() ? types.get((int) id).get() : null;
    }
}
