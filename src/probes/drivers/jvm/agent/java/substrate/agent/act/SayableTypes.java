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

/** Types of which there is JSON, or of which objects of the state may be: the daemon knows those of the JDK. */
final class SayableTypes {
    private static final List<String> OF_OBJECT = Arrays.asList("equals/1", "hashCode/0", "toString/0");
    /** Interfaces, and whether they are a piece of code. */
    private static final Map<Class<?>, Boolean> CODE = new WeakHashMap<Class<?>, Boolean>();

    private volatile Set<Object> scalars = new HashSet<Object>();
    private volatile Set<Object> others = new HashSet<Object>();

    /** `told`: {scalars: [name…], others: [name…]}; null: as before. */
    void take(Map<?, ?> told) {
        if (told == null) return;
        scalars = new HashSet<Object>((List<?>) told.get("scalars"));
        others = new HashSet<Object>((List<?>) told.get("others"));
    }

    /** Values of one piece. */
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

    /** An interface of one method: what implements it is a piece of code, which nobody outside has to give. */
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
            // By the number of its parameters: an interface may narrow the method that it inherits.
            String key = method.getName() + '/' + method.getParameterTypes().length;
            if (!Modifier.isAbstract(method.getModifiers()) || OF_OBJECT.contains(key) || key.equals(only)) continue;
            if (only != null) return false;
            only = key;
        }
        return only != null;
    }
}
