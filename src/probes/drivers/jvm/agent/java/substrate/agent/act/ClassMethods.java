package substrate.agent.act;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import substrate.agent.code.ClassFile;
import substrate.agent.code.Descriptor;
import substrate.agent.health.Discarded;
import substrate.agent.state.Shown;
import substrate.agent.vm.Pace;

/** The public methods of a class that could be called with JSON. */
final class ClassMethods {
    private static final int MAX_PARAMETERS = 24;
    /** Garbage per method: from reflection, the class file and this class. */
    private static final int BYTES_PER_METHOD = 2500;

    private final Shown shown;
    private final Pace pace;
    private final FactsWriter writer;
    private final SayableTypes sayable;

    ClassMethods(Shown shown, Pace pace, FactsWriter writer, SayableTypes sayable) {
        this.pace = pace;
        this.shown = shown;
        this.writer = writer;
        this.sayable = sayable;
    }

    /** Facts in the order of the class file; the class's own methods before inherited ones. */
    List<String> factsOf(Class<?> type) {
        List<String> found = new ArrayList<String>();
        // The object behind a lambda is a piece of code, and an exception has happened already.
        if (type.isSynthetic() || Throwable.class.isAssignableFrom(type) || ClassLoader.class.isAssignableFrom(type)) {
            return found;
        }
        Set<String> seen = new HashSet<String>();
        Generics generics = Generics.of(type);
        for (Class<?> home : homes(type)) {
            Map<String, Method> declared = declared(home);
            pace.allocateBackground((long) declared.size() * BYTES_PER_METHOD);
            for (Map.Entry<String, Method> each : declared.entrySet()) {
                Method method = each.getValue();
                // A bridge hides the method that it leads away from.
                if (!seen.add(each.getKey()) || method.isBridge() || method.isSynthetic()) continue;
                String facts = described(type, generics, home, method, each.getKey());
                if (facts != null) found.add(facts);
            }
        }
        return found;
    }

    /** The class, its ancestors and its interfaces, as far as they are the app's. */
    private List<Class<?>> homes(Class<?> type) {
        List<Class<?>> homes = new ArrayList<Class<?>>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) if (shown.isOfApp(at)) homes.add(at);
        Set<Class<?>> interfaces = new HashSet<Class<?>>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) addInterfaces(at, interfaces, homes);
        return homes;
    }

    private void addInterfaces(Class<?> type, Set<Class<?>> seen, List<Class<?>> homes) {
        for (Class<?> each : type.getInterfaces()) {
            if (!seen.add(each)) continue;
            if (shown.isOfApp(each)) homes.add(each);
            addInterfaces(each, seen, homes);
        }
    }

    /** The public methods by name and descriptor, in the order of the class file: reflection guarantees no order. */
    private static Map<String, Method> declared(Class<?> home) {
        try {
            Map<String, Method> left = new TreeMap<String, Method>();
            for (Method method : home.getDeclaredMethods())
                if (Modifier.isPublic(method.getModifiers())) left.put(method.getName() + descriptorOf(method), method);
            Map<String, Method> ordered = new LinkedHashMap<String, Method>();
            ClassFile file = ClassFile.of(home);
            if (file != null) {
                for (String key : file.methodKeys()) {
                    Method method = left.remove(key);
                    if (method != null) ordered.put(key, method);
                }
            }
            ordered.putAll(left);
            return ordered;
        } catch (LinkageError incomplete) {
            // A type in the signatures is missing: the app cannot call these methods either.
            Discarded.count("ClassMethods.declared", incomplete);
            return Collections.emptyMap();
        } catch (RuntimeException refused) {
            Discarded.count("ClassMethods.declared", refused);
            return Collections.emptyMap();
        }
    }

    private static String descriptorOf(Method method) {
        return Descriptor.of(method.getParameterTypes(), method.getReturnType());
    }

    /** Null if JSON cannot call it, or a class in its signature is missing. */
    private String described(Class<?> type, Generics generics, Class<?> home, Method method, String key) {
        try {
            Type[] types = typesOf(method);
            if (types.length > MAX_PARAMETERS) return null;
            // No JSON says a Runnable, a Class or a stream.
            for (Type each : types) if (!sayable.canSay(generics, each)) return null;
            return writer.method(type, generics, home, method, key.substring(method.getName().length()));
        } catch (LinkageError incomplete) {
            Discarded.count("ClassMethods.described", incomplete);
            return null;
        } catch (RuntimeException malformed) {
            Discarded.count("ClassMethods.described", malformed);
            return null;
        }
    }

    /** With the type arguments, where the class file has them in a readable form. */
    static Type[] typesOf(Method method) {
        try {
            Type[] types = method.getGenericParameterTypes();
            if (types.length == method.getParameterTypes().length) return types;
        } catch (RuntimeException malformed) {
            // The types are used without type arguments then.
            Discarded.count("ClassMethods.typesOf", malformed);
        } catch (LinkageError missing) {
            // The types are used without type arguments then.
            Discarded.count("ClassMethods.typesOf", missing);
        }
        return method.getParameterTypes();
    }

    static Type resultOf(Method method) {
        try {
            return method.getGenericReturnType();
        } catch (RuntimeException malformed) {
            Discarded.count("ClassMethods.resultOf", malformed);
            return method.getReturnType();
        } catch (LinkageError missing) {
            Discarded.count("ClassMethods.resultOf", missing);
            return method.getReturnType();
        }
    }

    /** The public method that an object of this class runs for a name and descriptor; null if there is none. */
    Method find(Class<?> type, String key) {
        for (Class<?> home : homes(type)) {
            for (Method method : home.getDeclaredMethods()) {
                String name = method.getName();
                boolean isMeant = key.startsWith(name) && key.equals(name + descriptorOf(method));
                if (isMeant && Modifier.isPublic(method.getModifiers()) && !method.isBridge()) return method;
            }
        }
        return null;
    }
}
