package substrate.agent.act;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import substrate.agent.code.ClassFile;
import substrate.agent.code.MethodCode;
import substrate.agent.code.SourceHashes;
import substrate.agent.code.StaticState;
import substrate.agent.code.TypeIds;
import substrate.agent.health.Discarded;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Shown;

/** Writes the facts about types and methods, in the form that method-facts.ts reads. */
final class FactsWriter {
    private static final int MAX_TEXT = 1000;
    private static final int MAX_NAME = 300;
    private static final int MAX_INTERFACES = 8;
    private static final int MAX_HELD = 16;

    private final Shown shown;
    private final TypeIds ids;
    private final SayableTypes sayable;
    private final TypeDefinitions definitions;
    private final SourceHashes hashes;
    /** Name and parameter count of the methods that a class or interface declares. */
    private final Map<Class<?>, Set<String>> declared = new WeakHashMap<Class<?>, Set<String>>();

    FactsWriter(Shown shown, TypeIds ids, SayableTypes sayable, TypeDefinitions definitions, SourceHashes hashes) {
        this.shown = shown;
        this.ids = ids;
        this.sayable = sayable;
        this.definitions = definitions;
        this.hashes = hashes;
    }

    void type(StringBuilder out, Class<?> type) {
        out.append("{\"id\":").append(ids.of(type));
        JsonWriter.string(out.append(",\"name\":"), cut(type.getName(), MAX_TEXT));
        JsonWriter.value(out.append(",\"hash\":"), hashes.of(type));
        out.append('}');
    }

    /** `"lineage":[…],"isValue":…`, reported of a type together with its methods. */
    void aboutType(StringBuilder out, Class<?> type) {
        JsonWriter.value(out.append("\"lineage\":"), TypeText.lineage(type));
        out.append(",\"isValue\":").append(isValue(type)).append(",\"isEnum\":").append(type.isEnum());
    }

    /** True if its objects never change: the results of its methods follow from values that are shown already. */
    private boolean isValue(Class<?> type) {
        try {
            for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
                if (at.getClassLoader() == null) return at == Enum.class || at.getName().equals("java.lang.Record");
                for (Field field : at.getDeclaredFields()) {
                    int modifiers = field.getModifiers();
                    if (Modifier.isStatic(modifiers)) continue;
                    if (!Modifier.isFinal(modifiers) || !sayable.isScalar(field.getType())) return false;
                }
            }
            return true;
        } catch (LinkageError incomplete) {
            Discarded.count("FactsWriter.isValue", incomplete);
            return false;
        }
    }

    /** Null if it has nothing to do with any state. */
    String method(Class<?> type, Generics generics, Class<?> home, Method method, String descriptor) {
        ClassFile file = ClassFile.of(home);
        MethodCode code = file == null ? null : file.method(method.getName(), descriptor);
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        StaticState statics = isStatic && home == type && code != null ? StaticState.of(code) : StaticState.NONE;
        if (isStatic && !statics.usesAssignable && statics.held.isEmpty()) return null;
        StringBuilder out = new StringBuilder(200);
        JsonWriter.string(out.append("{\"name\":"), cut(method.getName(), MAX_TEXT));
        JsonWriter.string(out.append(",\"key\":"), method.getName() + descriptor);
        Type[] types = ClassMethods.typesOf(method);
        parameters(out.append(",\"parameters\":["), type, generics, method, types, descriptor);
        returns(out.append("],\"returns\":"), generics, ClassMethods.resultOf(method));
        Set<String> interfaces = new LinkedHashSet<String>();
        String key = method.getName() + '/' + types.length;
        boolean isOutside = !isStatic && isDeclaredOutside(home, key, interfaces);
        Set<String> flags = new LinkedHashSet<String>();
        if (isStatic) flags.add("static");
        if (isOutside) flags.add("outside");
        if (code != null && code.codeLength == 1) flags.add("empty");
        if (types.length == 0 && isPlainGetter(home, method, code)) flags.add("getter");
        if (method.getReturnType() == method.getDeclaringClass()) flags.add("own-type");
        texts(out, "flags", flags, flags.size());
        texts(out, "interfaces", interfaces, MAX_INTERFACES);
        texts(out, "held", statics.held, MAX_HELD);
        return out.append(statics.usesAssignable ? ",\"usesStatics\":true}" : "}").toString();
    }

    private void parameters(StringBuilder out, Class<?> type, Generics generics, Method method, Type[] types,
            String descriptor) {
        String[] names = namesOf(type, method.getName(), descriptor, types.length);
        for (int at = 0; at < types.length; at++) {
            JsonWriter.value(out.append(at == 0 ? "" : ",").append("{\"name\":"),
                names == null ? null : cut(names[at], MAX_NAME));
            JsonWriter.string(out.append(",\"type\":"), TypeText.of(generics, types[at]));
            out.append(method.isVarArgs() && at == types.length - 1 ? ",\"isRest\":true}" : "}");
            definitions.mention(generics, types[at]);
        }
    }

    private void returns(StringBuilder out, Generics generics, Type result) {
        Type type = generics.resolve(result);
        JsonWriter.string(out.append("{\"type\":"), TypeText.of(generics, type));
        // The call waits for the future's value.
        if (java.util.concurrent.Future.class.isAssignableFrom(Generics.raw(type))) {
            type = generics.resolve(Generics.argument(type, 0));
            JsonWriter.string(out.append(",\"brings\":"), TypeText.of(generics, type));
        }
        Class<?> raw = Generics.raw(type);
        // JSON writes its constants as texts.
        if (raw.isEnum()) definitions.mention(generics, raw);
        boolean isMap = Map.class.isAssignableFrom(raw);
        boolean isList = Iterable.class.isAssignableFrom(raw);
        if (isMap || isList) out.append(",\"holds\":").append(isMap ? "\"map\"" : "\"list\"");
        out.append('}');
    }

    /**
     * Names from the class or, for a class made at run time, from the method that it overrides; null if there are none.
     */
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

    /** True if the state shows the field itself. */
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

    /**
     * True if the JDK or a library declares it, as `run`, `compare`, `paint`. Adds the app's interfaces that declare
     * it.
     */
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
            // No method counts as declared by this class then.
            Discarded.count("FactsWriter.declaredBy", incomplete);
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
