package substrate.agent.act;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Writes types in the form that the daemon reads, see type-text.ts:
 * `java.util.Map<java.lang.String,com.example.Item[]>`.
 */
final class TypeText {
    private static final int MAX_DEPTH = 6;
    private static final int MAX_LINEAGE = 500;

    private TypeText() {}

    static String of(Generics generics, Type type) {
        StringBuilder out = new StringBuilder();
        append(out, generics, type, 0);
        return out.toString();
    }

    private static void append(StringBuilder out, Generics generics, Type declared, int depth) {
        TypeVariable<?> open = generics.openVariable(declared);
        if (open != null) out.append(open.getName()).append(':');
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        if (type instanceof GenericArrayType || raw.isArray()) {
            append(out, generics, Generics.component(type), depth + 1);
            out.append("[]");
            return;
        }
        out.append(raw.getName());
        if (!(type instanceof ParameterizedType) || open != null || depth > MAX_DEPTH) return;
        char separator = '<';
        for (Type argument : ((ParameterizedType) type).getActualTypeArguments()) {
            append(out.append(separator), generics, argument, depth + 1);
            separator = ',';
        }
        if (separator == ',') out.append('>');
    }

    /** The class itself, what it extends and what it implements. */
    static Set<String> lineage(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<Class<?>>();
        addLineage(found, type);
        Set<String> names = new LinkedHashSet<String>();
        for (Class<?> each : found) names.add(of(Generics.NONE, each));
        return names;
    }

    private static void addLineage(Set<Class<?>> lineage, Class<?> type) {
        if (type == null || type == Object.class || lineage.size() >= MAX_LINEAGE || !lineage.add(type)) return;
        addLineage(lineage, type.getSuperclass());
        for (Class<?> each : type.getInterfaces()) addLineage(lineage, each);
    }
}
