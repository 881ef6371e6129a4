package substrate.agent.code;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

import substrate.agent.health.Discarded;
import substrate.agent.vm.Vm;

/**
 * Finds the source names of the variables that a lambda captured. The class of a lambda does not have them (`arg$1`),
 * but its enclosing class does: at the instruction that makes the lambda, and in the parameter names of the method
 * behind it.
 */
public final class CapturedNames {
    private static final String MARK = "$$Lambda";
    private static final String FIELD = "arg$";

    private final Vm vm;
    private final Map<Class<?>, Map<String, String>> known = new WeakHashMap<Class<?>, Map<String, String>>();

    public CapturedNames(Vm vm) {
        this.vm = vm;
    }

    /** Null if not known, or not the same in all lambdas with this signature. */
    public String of(Class<?> lambda, String field) {
        if (!field.startsWith(FIELD) || lambda.getName().indexOf(MARK) < 0) return null;
        Map<String, String> names = known.get(lambda);
        if (names == null) {
            names = new HashMap<String, String>();
            try {
                read(lambda, names);
            } catch (Throwable malformed) {
                Discarded.count("CapturedNames.of", malformed);
                names.clear();
            }
            known.put(lambda, names);
        }
        return names.get(field);
    }

    private void read(Class<?> lambda, Map<String, String> names) {
        Class<?> home = homeOf(lambda);
        ClassFile file = home == null ? null : ClassFile.of(home);
        Class<?>[] interfaces = lambda.getInterfaces();
        if (file == null || interfaces.length == 0) return;
        Map<String, Class<?>> fields = new HashMap<String, Class<?>>();
        for (Field field : lambda.getDeclaredFields())
            if (!Modifier.isStatic(field.getModifiers())) fields.put(field.getName(), field.getType());
        Class<?>[] types = new Class<?>[fields.size()];
        for (int at = 0; at < types.length; at++) {
            types[at] = fields.get(FIELD + (at + 1));
            if (types[at] == null) return;
        }
        String[] captured = file.capturedNames(Descriptor.of(types, interfaces[0]), types.length);
        for (int at = 0; captured != null && at < captured.length; at++) {
            boolean isOfSource = captured[at] != null && captured[at].indexOf('$') < 0;
            if (isOfSource) names.put(FIELD + (at + 1), captured[at]);
        }
    }

    /** Searches the loaded classes: the app's class loaders must not be called. */
    private Class<?> homeOf(Class<?> lambda) {
        String name = lambda.getName().substring(0, lambda.getName().indexOf(MARK));
        for (Class<?> type : vm.loadedClasses())
            if (type.getName().equals(name) && type.getClassLoader() == lambda.getClassLoader()) return type;
        return null;
    }
}
