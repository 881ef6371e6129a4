package substrate.agent.read;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Names of fields and classes as in the source, and fields that are not in the source or hold no state. */
final class SourceNames {
    private static final String DELEGATE = "$delegate";
    private static final String LAZY = "$lzy";

    private SourceNames() {}

    static boolean isNoise(Field field) {
        return field.isSynthetic() || field.isEnumConstant() || Rules.noiseFields.has(field.getName())
            || Rules.noiseTypes.has(ofClass(field.getType()));
    }

    /** True if the field holds the singleton of its class. */
    static boolean isSingleton(Field field) {
        return Modifier.isStatic(field.getModifiers()) && field.getType().isAssignableFrom(field.getDeclaringClass())
            && Rules.singletons.contains(field.getName());
    }

    /**
     * Removes the suffix of a delegated property of Kotlin, the class prefix of a private field of Scala
     * (`shop$Till$$orders`), and the suffix of a lazy value of Scala 3 (`orders$lzy1`).
     */
    static String ofField(String name) {
        String plain = name.substring(name.lastIndexOf("$$") < 1 ? 0 : name.lastIndexOf("$$") + 2);
        int end = plain.endsWith(DELEGATE) ? plain.length() - DELEGATE.length() : plain.lastIndexOf(LAZY);
        if (end > 0) plain = plain.substring(0, end);
        return plain.isEmpty() ? name : plain;
    }

    /**
     * Removes package and enclosing classes. getSimpleName would make the app's loaders load the enclosing classes, and
     * fails on names of some compilers.
     */
    static String ofClass(Class<?> type) {
        String name = type.getName();
        int start = Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1;
        while (start < name.length() - 1 && Character.isDigit(name.charAt(start))) start++;
        return name.substring(start);
    }
}
