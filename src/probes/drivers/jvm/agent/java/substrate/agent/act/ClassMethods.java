package substrate.agent.act;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import substrate.agent.state.Shown;
import substrate.agent.vm.Pace;

/** The methods of a class that are worth calling from outside. */
final class ClassMethods {
    private static final int MAX_PARAMETERS = 24;

    /** Reflection, the class file and this make of a method. */
    private static final int BYTES_PER_METHOD = 2500;

    private final Shown shown;
    private final Pace pace;
    private final ActionFilter plumbing;
    private final Map<Class<?>, Map<String, List<Signature>>> known =
        new WeakHashMap<Class<?>, Map<String, List<Signature>>>();

    ClassMethods(Shown shown, Pace pace) {
        this.pace = pace;
        this.shown = shown;
        plumbing = new ActionFilter(shown);
    }

    /** By name, overloads together, in the order of the class file; those of the class before those it inherits. */
    synchronized Map<String, List<Signature>> of(Class<?> type) {
        Map<String, List<Signature>> methods = known.get(type);
        if (methods == null) {
            methods = find(type);
            known.put(type, methods);
        }
        return methods;
    }

    private Map<String, List<Signature>> find(Class<?> type) {
        Map<String, List<Signature>> found = new LinkedHashMap<String, List<Signature>>();
        Set<String> seen = new HashSet<String>();
        if (ActionFilter.isAll(type)) return found;
        Generics generics = Generics.of(type);
        for (Class<?> home : homes(type)) {
            Map<String, Method> declared = declared(home);
            pace.allocateAside((long) declared.size() * BYTES_PER_METHOD);
            for (Map.Entry<String, Method> each : declared.entrySet()) {
                Method method = each.getValue();
                String descriptor = each.getKey().substring(method.getName().length());
                // A bridge hides the method that it leads away from.
                boolean isNew = seen.add(each.getKey());
                if (!isNew || !isWanted(type, home, method, each.getKey())) continue;
                Signature signature = signature(type, generics, method, descriptor);
                if (signature == null) continue;
                List<Signature> overloads = found.get(method.getName());
                if (overloads == null) found.put(method.getName(), overloads = new ArrayList<Signature>(1));
                overloads.add(signature);
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

    /** The public ones by name and descriptor, in the order of the class file: reflection promises none. */
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
            // A type that its methods mention is not there: the app cannot call them either.
            return Collections.emptyMap();
        } catch (RuntimeException refused) {
            return Collections.emptyMap();
        }
    }

    private static String descriptorOf(Method method) {
        return Descriptor.of(method.getParameterTypes(), method.getReturnType());
    }

    private boolean isWanted(Class<?> type, Class<?> home, Method method, String key) {
        int modifiers = method.getModifiers();
        if (method.isBridge() || method.isSynthetic()) return false;
        int parameters = method.getParameterTypes().length;
        ClassFile file = ClassFile.of(home);
        MethodCode code = file == null ? null : file.method(key);
        if (parameters > MAX_PARAMETERS || plumbing.is(type, home, method, code)) return false;
        boolean isOfState = home == type && code != null && StaticState.isTouchedBy(code, true);
        if (Modifier.isStatic(modifiers) && !isOfState) return false;
        return parameters > 0 || !isPlainGetter(home, method, code);
    }

    /** No JSON says a Runnable, a Class or a stream. */
    private static boolean canBeCalled(Generics generics, Method method) {
        for (java.lang.reflect.Type type : ParameterList.typesOf(method)) {
            if (!Coerce.canMake(generics, type)) return false;
        }
        return true;
    }

    /** The state shows the field itself. */
    private static boolean isPlainGetter(Class<?> home, Method method, MethodCode code) {
        if (code != null) return code.isPlainGetter();
        String name = method.getName();
        int prefix = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : 0;
        if (prefix == 0 || name.length() == prefix) return false;
        String field = Character.toLowerCase(name.charAt(prefix)) + name.substring(prefix + 1);
        try {
            return home.getDeclaredField(field).getType() == method.getReturnType();
        } catch (NoSuchFieldException computed) {
            return false;
        }
    }

    /** Null: it cannot be called by JSON, or cannot be described because a class that it mentions is not there. */
    private Signature signature(Class<?> type, Generics generics, Method method, String descriptor) {
        try {
            return canBeCalled(generics, method) ? described(type, generics, method, descriptor) : null;
        } catch (LinkageError incomplete) {
            return null;
        } catch (RuntimeException malformed) {
            return null;
        }
    }

    private Signature described(Class<?> type, Generics generics, Method method, String descriptor) {
        List<Parameter> parameters = ParameterList.of(type, generics, method, descriptor);
        java.lang.reflect.Type[] types = ParameterList.typesOf(method);
        StringBuilder java = new StringBuilder(method.getName()).append('(');
        for (int at = 0; at < types.length; at++) {
            java.append(at == 0 ? "" : ", ").append(TypeWords.java(generics, types[at]));
            java.append(' ').append(parameters.get(at).name);
        }
        java.lang.reflect.Type result = ParameterList.resultOf(method);
        java.append(") -> ").append(TypeWords.java(generics, result));
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        String returns = TypeWords.returned(generics, result);
        Set<String> needs = new HashSet<String>();
        for (int at = 0; at < types.length; at++) {
            if (parameters.get(at).required) RequiredReferences.add(needs, generics, types[at]);
        }
        return new Signature(method.getName(), descriptor, isStatic, parameters, returns, java.toString(), needs,
            plumbing.isMinor(type, method) || isStatic && isLookup(type, method, descriptor));
    }

    /** It reads from a list or map that is there for ever, and may be a table of constants. */
    private static boolean isLookup(Class<?> type, Method method, String descriptor) {
        ClassFile file = ClassFile.of(type);
        MethodCode code = file == null ? null : file.method(method.getName(), descriptor);
        return method.getReturnType() != void.class && code != null && !StaticState.isTouchedBy(code, false);
    }

    /** The method that an object of this class runs; null: it is not there. */
    Method find(Class<?> type, Signature signature) {
        for (Class<?> home : homes(type)) {
            for (Method method : home.getDeclaredMethods()) {
                boolean isNamed = method.getName().equals(signature.method) && !method.isBridge();
                if (isNamed && descriptorOf(method).equals(signature.descriptor)) return method;
            }
        }
        return null;
    }
}
