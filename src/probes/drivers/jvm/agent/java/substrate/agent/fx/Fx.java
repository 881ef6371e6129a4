package substrate.agent.fx;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import substrate.agent.health.Discarded;

/**
 * Calls public methods of JavaFX, which the agent is not compiled against: the library is on the class path of the app,
 * if at all. Nearly all of its getters are final, so no code of the app runs. A method that this version does not have
 * gives null, 0 or false.
 */
final class Fx {
    private static final String PACKAGE = "javafx.";
    private static final Map<Class<?>, Map<String, Method>> KNOWN =
        new ConcurrentHashMap<Class<?>, Map<String, Method>>();
    private static final Method NONE;

    static {
        try {
            NONE = Object.class.getMethod("hashCode");
        } catch (NoSuchMethodException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Fx() {}

    /** Calls a getter of the nearest public class of JavaFX. */
    static Object get(Object target, String method) {
        try {
            return call(target, method);
        } catch (Throwable e) {
            Discarded.count("Fx.get", e);
            return null;
        }
    }

    static String text(Object target, String method) {
        Object value = get(target, method);
        return value instanceof String ? (String) value : null;
    }

    static boolean flag(Object target, String method) {
        return Boolean.TRUE.equals(get(target, method));
    }

    static double number(Object target, String method) {
        Object value = get(target, method);
        return value instanceof Number ? ((Number) value).doubleValue() : 0;
    }

    static List<?> list(Object target, String method) {
        Object value = get(target, method);
        return value instanceof List ? (List<?>) value : Collections.emptyList();
    }

    /** Chosen by the number of arguments; throws what the method throws. Null if there is no such method. */
    static Object call(Object target, String name, Object... args) throws Exception {
        Method method = target == null ? null : find(publicClass(target.getClass()), name, args);
        if (method == null) return null;
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof Error) throw (Error) cause;
            throw cause instanceof Exception ? (Exception) cause : e;
        }
    }

    static Object callStatic(Class<?> type, String name, Object... args) throws Exception {
        Method method = find(type, name, args);
        return method == null ? null : method.invoke(null, args);
    }

    /** Classes of the app, and private classes of JavaFX, cannot be called. */
    private static Class<?> publicClass(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass())
            if (at.getName().startsWith(PACKAGE) && Modifier.isPublic(at.getModifiers())) return at;
        return null;
    }

    private static Method find(Class<?> type, String name, Object[] args) {
        if (type == null) return null;
        Map<String, Method> methods = KNOWN.get(type);
        if (methods == null) KNOWN.put(type, methods = new ConcurrentHashMap<String, Method>());
        String key = args.length == 0 ? name : name + '/' + kinds(args);
        Method method = methods.get(key);
        if (method == null) methods.put(key, method = search(type, name, args));
        return method == NONE ? null : method;
    }

    private static String kinds(Object[] args) {
        StringBuilder kinds = new StringBuilder();
        for (Object arg : args) kinds.append(arg == null ? "null" : arg.getClass().getName()).append(' ');
        return kinds.toString();
    }

    private static Method search(Class<?> type, String name, Object[] args) {
        Method best = NONE;
        for (Method method : type.getMethods()) {
            if (!method.getName().equals(name) || !takes(method.getParameterTypes(), args)) continue;
            // `select(int)` is preferred to `select(Object)`. A bridge stands for a method of a class that is not
            // public.
            boolean isCloser = args.length == 1 && method.getParameterTypes()[0].isPrimitive();
            if (best == NONE || isCloser || best.isBridge() && !method.isBridge()) best = method;
        }
        return best;
    }

    private static boolean takes(Class<?>[] types, Object[] args) {
        if (types.length != args.length) return false;
        for (int at = 0; at < types.length; at++) {
            Class<?> type = types[at];
            if (type == int.class && args[at] instanceof Integer) continue;
            if (type == boolean.class && args[at] instanceof Boolean) continue;
            if (type == double.class && args[at] instanceof Double) continue;
            if (type.isPrimitive() || args[at] != null && !type.isInstance(args[at])) return false;
        }
        return true;
    }
}
