package substrate.agent.act;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/** Types that JSON can express, or that objects in the state may have: the daemon knows those of the JDK. */
final class SayableTypes {
    private static final List<String> OF_OBJECT = Arrays.asList("equals/1", "hashCode/0", "toString/0");
    /** Interfaces, and whether each is a function. */
    private static final Map<Class<?>, Boolean> CODE = new WeakHashMap<Class<?>, Boolean>();

    private volatile Set<Object> scalars = new HashSet<Object>();
    private volatile Set<Object> others = new HashSet<Object>();

    /** `types`: {scalars: [name…], others: [name…]}; null means unchanged. */
    void take(Map<?, ?> types) {
        if (types == null) return;
        scalars = new HashSet<Object>((List<?>) types.get("scalars"));
        others = new HashSet<Object>((List<?>) types.get("others"));
    }

    /** True for types whose values are one scalar. */
    boolean isScalar(Class<?> raw) {
        return raw.isEnum() || scalars.contains(raw.getName());
    }

    boolean canSay(Generics generics, Type declared) {
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        if (raw.isArray()) return canSay(generics, Generics.component(type));
        if (raw == Optional.class) return canSay(generics, Generics.argument(type, 0));
        if (isScalar(raw) || others.contains(raw.getName())) return true;
        return !isOfPlatform(raw) && !isCode(raw);
    }

    static boolean isOfPlatform(Class<?> raw) {
        return raw.getClassLoader() == null || TimedCall.isOfPlatform(raw.getName());
    }

    /** An interface with one method: its implementations are functions, which a caller outside cannot give. */
    private static boolean isCode(Class<?> raw) {
        if (!raw.isInterface()) return false;
        synchronized (CODE) {
            Boolean known = CODE.get(raw);
            if (known == null) CODE.put(raw, known = hasOneMethod(raw));
            return known;
        }
    }

    private static boolean hasOneMethod(Class<?> raw) {
        String only = null;
        for (Method method : raw.getMethods()) {
            // The key has the parameter count, because an interface may narrow the types of an inherited method.
            String key = method.getName() + '/' + method.getParameterTypes().length;
            if (!Modifier.isAbstract(method.getModifiers()) || OF_OBJECT.contains(key) || key.equals(only)) continue;
            if (only != null) return false;
            only = key;
        }
        return only != null;
    }
}
