package substrate.agent.act;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import substrate.agent.code.ClassFile;
import substrate.agent.code.MethodCode;
import substrate.agent.code.StaticState;
import substrate.agent.code.TypeIds;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Shown;

/** Writes what is known of types and methods, as method-facts.ts reads it. */
final class FactsWriter {
    private static final int MAX_TEXT = 1000;
    private static final int MAX_NAME = 300;
    private static final int MAX_LINEAGE = 500;
    private static final int MAX_INTERFACES = 8;
    private static final int MAX_HELD = 16;

    private final Shown shown;
    private final TypeIds ids;
    /** Name and number of parameters of what a class or interface declares. */
    private final Map<Class<?>, Set<String>> declared = new WeakHashMap<Class<?>, Set<String>>();

    FactsWriter(Shown shown, TypeIds ids) {
        this.shown = shown;
        this.ids = ids;
    }

    void type(StringBuilder out, Class<?> type) {
        out.append("{\"id\":").append(ids.of(type));
        JsonWriter.string(out.append(",\"name\":"), cut(TypeWords.simpleName(type), MAX_TEXT));
        int dot = type.getName().lastIndexOf('.');
        JsonWriter.string(out.append(",\"package\":"), cut(dot < 0 ? "" : type.getName().substring(0, dot), MAX_TEXT));
        Set<Class<?>> lineage = new LinkedHashSet<Class<?>>();
        addLineage(lineage, type);
        out.append(",\"lineage\":");
        char separator = '[';
        for (Class<?> each : lineage) {
            out.append(separator).append(ids.of(each));
            separator = ',';
        }
        out.append("],\"isValue\":").append(isValue(type)).append(",\"isEnum\":").append(type.isEnum()).append('}');
    }

    private static void addLineage(Set<Class<?>> lineage, Class<?> type) {
        if (type == null || type == Object.class || lineage.size() >= MAX_LINEAGE || !lineage.add(type)) return;
        addLineage(lineage, type.getSuperclass());
        for (Class<?> each : type.getInterfaces()) addLineage(lineage, each);
    }

    /** Nothing in its objects ever changes: what its methods bring follows from what is shown already. */
    private static boolean isValue(Class<?> type) {
        try {
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
        } catch (LinkageError incomplete) {
            return false;
        }
    }

    /** Null: it has nothing to do with any state. */
    String method(Class<?> type, Generics generics, Class<?> home, Method method, String descriptor,
            boolean[] isOptional) {
        ClassFile file = ClassFile.of(home);
        MethodCode code = file == null ? null : file.method(method.getName(), descriptor);
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        StaticState statics = isStatic && home == type && code != null ? StaticState.of(code) : StaticState.NONE;
        if (isStatic && !statics.usesAssignable && statics.held.isEmpty()) return null;
        StringBuilder out = new StringBuilder(200);
        JsonWriter.string(out.append("{\"name\":"), cut(method.getName(), MAX_TEXT));
        parameters(out.append(",\"parameters\":["), type, generics, method, descriptor, isOptional);
        Type result = ClassMethods.resultOf(method);
        JsonWriter.string(out.append("],\"returns\":{\"text\":"), cut(TypeWords.java(generics, result), MAX_TEXT));
        JsonWriter.string(out.append(",\"json\":"), TypeWords.returned(generics, result));
        needs(out.append('}'), generics, method, isOptional);
        Set<String> interfaces = new LinkedHashSet<String>();
        String key = method.getName() + '/' + isOptional.length;
        boolean isOutside = !isStatic && isDeclaredOutside(home, key, interfaces);
        Set<String> flags = new LinkedHashSet<String>();
        if (isStatic) flags.add("static");
        if (isOutside) flags.add("outside");
        if (code != null && code.codeLength == 1) flags.add("empty");
        if (isOptional.length == 0 && isPlainGetter(home, method, code)) flags.add("getter");
        if (method.getReturnType() == method.getDeclaringClass()) flags.add("own-type");
        texts(out, "flags", flags, flags.size());
        texts(out, "interfaces", interfaces, MAX_INTERFACES);
        texts(out, "held", statics.held, MAX_HELD);
        return out.append(statics.usesAssignable ? ",\"usesStatics\":true}" : "}").toString();
    }

    private void parameters(StringBuilder out, Class<?> type, Generics generics, Method method, String descriptor,
            boolean[] isOptional) {
        Type[] types = ClassMethods.typesOf(method);
        String[] names = namesOf(type, method.getName(), descriptor, types.length);
        for (int at = 0; at < types.length; at++) {
            Class<?> raw = Generics.raw(generics.resolve(types[at]));
            JsonWriter.value(out.append(at == 0 ? "" : ",").append("{\"name\":"),
                names == null ? null : cut(names[at], MAX_NAME));
            JsonWriter.string(out.append(",\"text\":"), cut(TypeWords.java(generics, types[at]), MAX_TEXT));
            JsonWriter.value(out.append(",\"json\":"), TypeWords.json(generics, types[at]));
            String hint = cut(hint(generics, types[at]), 2 * MAX_TEXT);
            if (hint != null) JsonWriter.string(out.append(",\"hint\":"), hint);
            if (isOptional[at]) out.append(",\"isOptional\":true");
            if (types[at] == Object.class) out.append(",\"isAny\":true");
            out.append(java.util.EventObject.class.isAssignableFrom(raw) ? ",\"isEvent\":true}" : "}");
        }
    }

    /** What the type of JSON does not say of a scalar. */
    private static String hint(Generics generics, Type declared) {
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        if (raw == Optional.class) return hint(generics, Generics.argument(type, 0));
        boolean isSpecial = raw.isEnum() || ScalarFromJson.example(raw) != null
            || ScalarFromJson.boxed(raw) == Character.class;
        return isSpecial ? TypeWords.wanted(raw) : null;
    }

    private void needs(StringBuilder out, Generics generics, Method method, boolean[] isOptional) {
        Set<Class<?>> needs = new HashSet<Class<?>>();
        Type[] types = ClassMethods.typesOf(method);
        for (int at = 0; at < types.length; at++)
            if (!isOptional[at]) RequiredReferences.add(needs, generics, types[at]);
        if (needs.isEmpty()) return;
        char separator = '[';
        out.append(",\"needs\":");
        for (Class<?> need : needs) {
            out.append(separator).append(ids.of(need));
            separator = ',';
        }
        out.append(']');
    }

    /** From the class or, for a class that was made at run time, from the method that it overrides; null: not noted. */
    private static String[] namesOf(Class<?> type, String method, String descriptor, int count) {
        for (Class<?> at = type; at != null && at.getClassLoader() != null; at = at.getSuperclass()) {
            String[] names = namesIn(at, method, descriptor, count);
            if (names != null) return names;
            for (Class<?> each : at.getInterfaces()) {
                names = namesIn(each, method, descriptor, count);
                if (names != null) return names;
            }
        }
        return null;
    }

    private static String[] namesIn(Class<?> type, String method, String descriptor, int count) {
        ClassFile file = type.getClassLoader() == null ? null : ClassFile.of(type);
        String[] names = file == null ? null : file.parameterNames(method, descriptor);
        return names != null && names.length == count ? names : null;
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

    /** `run`, `compare`, `paint`: by the JDK or a library. Adds the interfaces of the app that declare it. */
    private boolean isDeclaredOutside(Class<?> type, String key, Set<String> interfaces) {
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            boolean isOfApp = shown.isOfApp(at);
            if (!isOfApp && declaredBy(at).contains(key)) return true;
            if (isOfApp && at.isInterface() && declaredBy(at).contains(key)) {
                interfaces.add(cut(TypeWords.simpleName(at), MAX_NAME));
            }
            for (Class<?> each : at.getInterfaces()) if (isDeclaredOutside(each, key, interfaces)) return true;
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

    private static void texts(StringBuilder out, String name, Collection<String> all, int max) {
        int count = 0;
        for (String text : all) {
            if (count == max) break;
            out.append(count++ == 0 ? ",\"" + name + "\":[" : ",");
            JsonWriter.string(out, text);
        }
        if (count > 0) out.append(']');
    }

    private static String cut(String text, int max) {
        return text == null || text.length() <= max ? text : text.substring(0, max);
    }
}
