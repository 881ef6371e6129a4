package substrate.agent.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The loaded classes outside the JDK, by name and by supertype. It holds classes, so it lives for one analysis only.
 */
final class Hierarchy {
    private final List<Class<?>> classes = new ArrayList<Class<?>>();
    private final Map<String, List<Class<?>>> byName = new HashMap<String, List<Class<?>>>();
    private final Map<Class<?>, List<Class<?>>> below = new HashMap<Class<?>, List<Class<?>>>();

    private final Map<Class<?>, List<Class<?>>> nests = new HashMap<Class<?>, List<Class<?>>>();

    Hierarchy(Class<?>[] loaded) {
        for (Class<?> type : loaded) {
            // The JDK overrides no method of an app, except by classes made at run time, which have a loader.
            if (type.isArray() || type.getClassLoader() == null) continue;
            classes.add(type);
            List<Class<?>> named = byName.get(type.getName());
            if (named == null) byName.put(type.getName(), named = new ArrayList<Class<?>>(1));
            named.add(type);
        }
    }

    /** The class that an internal name means in the code of `from`; null if it is not loaded, or ambiguous. */
    Class<?> find(String internalName, Class<?> from) {
        List<Class<?>> named = byName.get(internalName.replace('/', '.'));
        if (named == null) return null;
        for (Class<?> type : named) if (type.getClassLoader() == from.getClassLoader()) return type;
        return named.size() == 1 ? named.get(0) : null;
    }

    /** The class and its nested classes: `Shop` and `Shop$1`. */
    List<Class<?>> nestOf(Class<?> type) {
        List<Class<?>> nest = nests.get(type);
        if (nest != null) return nest;
        nest = new ArrayList<Class<?>>();
        String name = type.getName();
        int dollar = name.indexOf('$');
        String outer = dollar > 0 ? name.substring(0, dollar) : name;
        for (Class<?> candidate : classes) {
            String other = candidate.getName();
            boolean isOfIt = other.startsWith(outer)
                && (other.length() == outer.length() || other.charAt(outer.length()) == '$');
            if (isOfIt) nest.add(candidate);
        }
        nests.put(type, nest);
        return nest;
    }

    /** Every loaded class that extends or implements it. */
    List<Class<?>> below(Class<?> type) {
        List<Class<?>> known = below.get(type);
        if (known != null) return known;
        List<Class<?>> found = new ArrayList<Class<?>>();
        for (Class<?> candidate : classes) {
            if (candidate != type && type.isAssignableFrom(candidate)) found.add(candidate);
        }
        below.put(type, found);
        return found;
    }
}
