package substrate.agent.act;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import substrate.agent.code.ClassFile;
import substrate.agent.code.Descriptor;

/** What the state must show before a method can be called: objects that no JSON makes can only be named. */
final class RequiredReferences {
    private static final int MAX_DEPTH = 3;

    private static final Map<Class<?>, Boolean> KNOWN = new WeakHashMap<Class<?>, Boolean>();

    private RequiredReferences() {}

    /** Adds the classes of which an object is needed. */
    static void add(Set<Class<?>> needs, Generics generics, Type declared) {
        add(needs, generics, declared, 0);
    }

    private static void add(Set<Class<?>> needs, Generics generics, Type declared, int depth) {
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        if (depth > MAX_DEPTH || isScalar(raw)) return;
        if (raw.isArray()) {
            add(needs, generics, Generics.component(type), depth + 1);
        } else if (raw == Optional.class || ContainerFromJson.isContainer(raw)) {
            int arguments = Map.class.isAssignableFrom(raw) ? 2 : 1;
            for (int at = 0; at < arguments; at++) add(needs, generics, Generics.argument(type, at), depth + 1);
        } else if (!canBeMade(raw, depth)) {
            needs.add(raw);
        }
    }

    private static boolean isScalar(Class<?> raw) {
        return raw.isEnum() || ScalarFromJson.knows(raw) || raw == Object.class || raw == Number.class
            || raw == Comparable.class || raw == java.io.Serializable.class;
    }

    /** As ObjectFromJson makes them; a class that keeps its constructors to itself is not meant to be made. */
    private static boolean canBeMade(Class<?> raw, int depth) {
        // Deeper down less is tried: only the full answer is kept.
        if (depth > 0) return isMade(raw, depth);
        synchronized (KNOWN) {
            Boolean known = KNOWN.get(raw);
            if (known == null) KNOWN.put(raw, known = isMade(raw, depth));
            return known;
        }
    }

    private static boolean isMade(Class<?> raw, int depth) {
        if (!Coerce.isConcrete(raw) || Coerce.isOfPlatform(raw)) return false;
        for (Constructor<?> constructor : raw.getDeclaredConstructors()) {
            if (Modifier.isPrivate(constructor.getModifiers()) || constructor.isSynthetic()) continue;
            Class<?>[] types = constructor.getParameterTypes();
            if (areMade(types, depth) && areNamed(raw, types)) return true;
        }
        return false;
    }

    private static boolean areNamed(Class<?> raw, Class<?>[] types) {
        if (types.length == 0 || ObjectFromJson.isRecord(raw)) return true;
        ClassFile file = ClassFile.of(raw);
        return file != null && file.parameterNames("<init>", Descriptor.of(types, void.class)) != null;
    }

    private static boolean areMade(Class<?>[] types, int depth) {
        for (Class<?> type : types) {
            boolean isMade = isScalar(type) || type.isArray() || type == Optional.class || ContainerFromJson.isContainer(type)
                || depth < MAX_DEPTH && canBeMade(type, depth + 1);
            if (!isMade) return false;
        }
        return true;
    }
}
