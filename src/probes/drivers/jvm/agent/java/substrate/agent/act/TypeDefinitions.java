package substrate.agent.act;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import substrate.agent.code.ClassFile;
import substrate.agent.code.Descriptor;
import substrate.agent.code.SourceHashes;
import substrate.agent.health.Discarded;
import substrate.agent.json.JsonWriter;

/** Describes the app's classes that are types of parameters, each once, in the form that type-definition.ts reads. */
final class TypeDefinitions {
    /** The limit for constructors of the types that constructors take. */
    private static final int MAX_DEPTH = 3;
    /** The limit for a description before a call, with all members. */
    private static final int MAX_ALL_DEPTH = 8;
    private static final int MAX_AT_ONCE = 500;
    private static final int MAX_PARTS = 100;
    private static final int MAX_MEMBERS = 1000;
    private static final int MAX_NAME = 300;

    /** The smallest depth at which each class was reported: a smaller depth is followed farther. */
    private final Map<Class<?>, Integer> sent = new WeakHashMap<Class<?>, Integer>();
    private final SourceHashes hashes;
    private StringBuilder out = new StringBuilder();
    private int count;

    TypeDefinitions(SourceHashes hashes) {
        this.hashes = hashes;
    }

    void forget() {
        sent.clear();
    }

    /** The descriptions since the last call, as JSON without brackets. */
    StringBuilder take() {
        StringBuilder taken = out;
        out = new StringBuilder();
        count = 0;
        return taken;
    }

    /** Describes a type and the parameters of its constructors, unless they were reported before. */
    void mention(Generics generics, Type type) {
        mention(generics, type, 0, null);
    }

    /** Describes everything that its values may be made of. */
    void mentionAll(Generics generics, Type type) {
        mention(generics, type, 0, new LinkedHashMap<Class<?>, Boolean>());
    }

    /** `all` collects the classes met, where members are followed, too. */
    private void mention(Generics generics, Type declared, int depth, Map<Class<?>, Boolean> all) {
        if (depth > (all == null ? MAX_DEPTH : MAX_ALL_DEPTH) || count >= MAX_AT_ONCE) return;
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        if (raw.isArray()) mention(generics, Generics.component(type), depth, all);
        // A variable may be bound by itself: `E extends Enum<E>`.
        if (type instanceof ParameterizedType && generics.openVariable(declared) == null) {
            for (Type each : ((ParameterizedType) type).getActualTypeArguments()) mention(generics, each, depth, all);
        }
        if (raw.isArray() || raw.isPrimitive() || SayableTypes.isOfPlatform(raw) && !raw.isEnum()) return;
        Integer before = sent.get(raw);
        boolean isFollowed = all == null ? before == null || before > depth : all.put(raw, true) == null;
        if (!isFollowed) return;
        if (before == null || before > depth) sent.put(raw, depth);
        int start = out.length();
        try {
            if (before == null) write(raw);
            follow(raw, depth, all);
        } catch (LinkageError incomplete) {
            Discarded.count("TypeDefinitions.mention", incomplete);
            if (before == null) out.setLength(start);
        } catch (RuntimeException closed) {
            Discarded.count("TypeDefinitions.mention", closed);
            if (before == null) out.setLength(start);
        }
    }

    private void follow(Class<?> type, int depth, Map<Class<?>, Boolean> all) {
        if (type.isEnum() || Modifier.isAbstract(type.getModifiers())) return;
        Generics generics = Generics.of(type);
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            for (Type each : typesOf(constructor)) mention(generics, each, depth + 1, all);
        }
        if (all == null) return;
        for (Field field : fieldsOf(type).values()) mention(generics, typeOf(field), depth + 1, all);
    }

    private void write(Class<?> type) {
        count++;
        StringBuilder definition = new StringBuilder("{\"name\":");
        JsonWriter.string(definition, type.getName());
        JsonWriter.value(definition.append(",\"hash\":"), hashes.of(type));
        boolean isMade = !type.isEnum() && !Modifier.isAbstract(type.getModifiers());
        String kind = type.isEnum() ? "enum" : type.isInterface() ? "interface" : isMade ? "class" : "abstract";
        JsonWriter.string(definition.append(",\"kind\":"), kind);
        JsonWriter.value(definition.append(",\"lineage\":"), TypeText.lineage(type));
        TypeVariable<?>[] variables = type.getTypeParameters();
        char separator = '[';
        for (TypeVariable<?> each : variables) {
            JsonWriter.string(definition.append(separator == '[' ? ",\"variables\":[" : ","), each.getName());
            separator = ',';
        }
        if (separator == ',') definition.append(']');
        if (type.isEnum()) constants(definition, type);
        if (isMade) parts(definition, type);
        out.append(out.length() == 0 ? "" : ",").append(definition).append('}');
    }

    /** Read from the fields: asking the enum itself would run its initialiser. */
    private static void constants(StringBuilder definition, Class<?> type) {
        int found = 0;
        definition.append(",\"constants\":[");
        for (Field field : type.getDeclaredFields()) {
            if (!field.isEnumConstant() || found == MAX_MEMBERS) continue;
            JsonWriter.string(definition.append(found++ == 0 ? "[" : ",["), field.getName());
            definition.append(",null]");
        }
        definition.append(']');
    }

    private static void parts(StringBuilder definition, Class<?> type) {
        Generics generics = Generics.of(type);
        Map<String, Field> fields = fieldsOf(type);
        boolean isRecord = isRecord(type);
        int found = 0;
        definition.append(",\"constructors\":[");
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            String[] names = isRecord ? canonical(constructor, fields) : namesOf(type, constructor);
            if (constructor.isSynthetic() || isRecord && names == null || found == MAX_PARTS) continue;
            JsonWriter.string(definition.append(found++ == 0 ? "" : ",").append("{\"key\":"), keyOf(constructor));
            if (Modifier.isPrivate(constructor.getModifiers())) definition.append(",\"isPrivate\":true");
            definition.append(",\"parameters\":");
            if (names == null) definition.append("null");
            else members(definition, names, typesOf(constructor), generics);
            definition.append('}');
        }
        Type[] types = new Type[Math.min(fields.size(), MAX_MEMBERS)];
        String[] names = new String[types.length];
        int at = 0;
        for (Field field : fields.values()) {
            if (at == types.length) break;
            names[at] = field.getName();
            types[at++] = typeOf(field);
        }
        members(definition.append("],\"members\":"), names, types, generics);
    }

    private static void members(StringBuilder definition, String[] names, Type[] types, Generics generics) {
        definition.append('[');
        for (int at = 0; at < names.length; at++) {
            String name = names[at].length() <= MAX_NAME ? names[at] : names[at].substring(0, MAX_NAME);
            JsonWriter.string(definition.append(at == 0 ? "" : ",").append("{\"name\":"), name);
            JsonWriter.string(definition.append(",\"type\":"), TypeText.of(generics, types[at]));
            definition.append('}');
        }
        definition.append(']');
    }

    static String keyOf(Constructor<?> constructor) {
        return Descriptor.of(constructor.getParameterTypes(), void.class);
    }

    /** Class.isRecord does not exist in older JDKs. */
    private static boolean isRecord(Class<?> type) {
        return type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
    }

    /** The names of all fields if the constructor takes exactly these; otherwise null. */
    private static String[] canonical(Constructor<?> constructor, Map<String, Field> fields) {
        Class<?>[] types = constructor.getParameterTypes();
        if (types.length != fields.size()) return null;
        int at = 0;
        for (Field field : fields.values()) if (field.getType() != types[at++]) return null;
        return fields.keySet().toArray(new String[0]);
    }

    /** Null if the class file has no names. */
    private static String[] namesOf(Class<?> type, Constructor<?> constructor) {
        if (constructor.getParameterTypes().length == 0) return new String[0];
        ClassFile file = ClassFile.of(type);
        String[] names = file == null ? null : file.parameterNames("<init>", keyOf(constructor));
        return names == null || names.length != constructor.getParameterTypes().length ? null : names;
    }

    /** With the type arguments, if the class file has them for all parameters. */
    static Type[] typesOf(Constructor<?> constructor) {
        Type[] declared = constructor.getGenericParameterTypes();
        Class<?>[] types = constructor.getParameterTypes();
        return declared.length == types.length ? declared : types;
    }

    /** The class's own fields come first: they hide inherited fields of the same name. */
    static Map<String, Field> fieldsOf(Class<?> type) {
        Map<String, Field> fields = new LinkedHashMap<String, Field>();
        for (Class<?> at = type; at != null && !SayableTypes.isOfPlatform(at); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                boolean isOwn = !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic();
                if (isOwn && !fields.containsKey(field.getName())) fields.put(field.getName(), field);
            }
        }
        return fields;
    }

    static Type typeOf(Field field) {
        try {
            return field.getGenericType();
        } catch (RuntimeException malformed) {
            Discarded.count("TypeDefinitions.typeOf", malformed);
            return field.getType();
        }
    }
}
