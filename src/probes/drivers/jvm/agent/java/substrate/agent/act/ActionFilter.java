package substrate.agent.act;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import substrate.agent.state.Shown;

/** Tells what is public for the sake of other code from what a person might want to be done. */
final class ActionFilter {
    private static final Set<String> NEVER = new HashSet<String>(Arrays.asList(
        "hashCode", "equals", "toString", "clone", "compareTo", "wait", "notify", "notifyAll", "finalize", "getClass",
        "canEqual", "writeReplace", "readResolve"));
    /** Objects of such types are handed from one part of a program to another, never in from outside. */
    private static final String[] BETWEEN_PARTS = {"Event", "Listener", "Visitor", "Observer", "Callback"};
    private static final Set<String> LIFECYCLE =
        new HashSet<String>(Arrays.asList("init", "initialize", "initialise", "destroy", "dispose"));

    private final Shown shown;
    /** Name and number of parameters of what a class outside the app declares. */
    private final Map<Class<?>, Set<String>> declared = new WeakHashMap<Class<?>, Set<String>>();

    /** Asked for each method of a class. */
    private final Map<Class<?>, Boolean> values = new WeakHashMap<Class<?>, Boolean>();

    ActionFilter(Shown shown) {
        this.shown = shown;
    }

    /** All of such a class: the object behind a lambda is a piece of code, and an exception has happened already. */
    static boolean isAll(Class<?> type) {
        return type.isSynthetic() || Throwable.class.isAssignableFrom(type) || ClassLoader.class.isAssignableFrom(type);
    }

    /** `code`: null where the class file cannot be had. */
    boolean is(Class<?> type, Class<?> home, Method method, MethodCode code) {
        String name = method.getName();
        Class<?>[] parameters = method.getParameterTypes();
        if (name.indexOf('$') >= 0 || NEVER.contains(name) || isComponent(name, parameters.length)) return true;
        for (Class<?> parameter : parameters) if (isBetweenParts(parameter)) return true;
        // A hook that nobody has filled.
        if (code != null && code.codeLength == 1) return true;
        return Modifier.isStatic(method.getModifiers())
            ? isMadeByCompiler(type, name) || isAccessToSingleton(method)
            : isCalledFromOutside(home, name + '/' + parameters.length);
    }

    /** Worth showing only where there is little else: computations on values, conversions, factories, lifecycles. */
    boolean isMinor(Class<?> type, Method method) {
        String name = method.getName();
        if (isAnonymous(type.getName()) || LIFECYCLE.contains(name)) return true;
        // Any object at all: for code that looks into objects, as this does.
        for (java.lang.reflect.Type given : ParameterList.typesOf(method)) if (given == Object.class) return true;
        if (method.getReturnType() == void.class) return false;
        if (Modifier.isStatic(method.getModifiers())) return method.getReturnType() == method.getDeclaringClass();
        boolean isConversion = method.getParameterTypes().length == 0
            && (Signature.beginsWith(name, "to") || Signature.beginsWith(name, "as"));
        return isConversion || isKnownValue(type);
    }

    /** `Shop$1`. Class.isAnonymousClass would load what surrounds the class. */
    private static boolean isAnonymous(String name) {
        int dollar = name.lastIndexOf('$');
        return dollar > 0 && dollar + 1 < name.length() && Character.isDigit(name.charAt(dollar + 1));
    }

    private boolean isKnownValue(Class<?> type) {
        Boolean known = values.get(type);
        if (known == null) values.put(type, known = isValue(type));
        return known;
    }

    /** Nothing in its objects ever changes: what its methods bring follows from what is shown already. */
    private static boolean isValue(Class<?> type) {
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            if (at.getClassLoader() == null) return at == Enum.class || at.getName().equals("java.lang.Record");
            for (Field field : at.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers)) continue;
                boolean isScalar = field.getType().isEnum() || ScalarFromJson.knows(field.getType());
                if (!Modifier.isFinal(modifiers) || !isScalar) return false;
            }
        }
        return true;
    }

    /** Kotlin's `component1` of data classes. */
    private static boolean isComponent(String name, int parameters) {
        return parameters == 0 && name.startsWith("component") && name.length() > 9
            && Character.isDigit(name.charAt(9));
    }

    private static boolean isBetweenParts(Class<?> parameter) {
        if (java.util.EventObject.class.isAssignableFrom(parameter)) return true;
        if (parameter.isPrimitive() || parameter.isEnum()) return false;
        for (String word : BETWEEN_PARTS) if (parameter.getName().endsWith(word)) return true;
        return false;
    }

    private static boolean isMadeByCompiler(Class<?> type, String name) {
        return name.equals("main") || type.isEnum() && (name.equals("values") || name.equals("valueOf"));
    }

    /** `getInstance()`: the object itself is in the state. */
    private static boolean isAccessToSingleton(Method method) {
        return method.getParameterTypes().length == 0 && method.getReturnType() == method.getDeclaringClass();
    }

    /**
     * `run`, `compare`, `paint`: what the JDK or a library declares is there to be called by the JDK or the library,
     * and what a listener declares by what it listens to.
     */
    private boolean isCalledFromOutside(Class<?> type, String key) {
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            boolean isForOthers = !shown.isOfApp(at) || at.isInterface() && isBetweenParts(at);
            if (isForOthers && declaredBy(at).contains(key)) return true;
            for (Class<?> each : at.getInterfaces()) if (isCalledFromOutside(each, key)) return true;
        }
        return false;
    }

    private Set<String> declaredBy(Class<?> type) {
        Set<String> keys = declared.get(type);
        if (keys != null) return keys;
        keys = new HashSet<String>();
        try {
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) continue;
                keys.add(method.getName() + '/' + method.getParameterTypes().length);
            }
        } catch (LinkageError incomplete) {
            // Then nothing is known to be its own.
        }
        declared.put(type, keys);
        return keys;
    }
}
