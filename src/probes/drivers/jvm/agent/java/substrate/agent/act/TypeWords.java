package substrate.agent.act;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes types in words for people. */
final class TypeWords {
    private TypeWords() {}

    /** The name of its class; a hidden class of the JDK, such as that of `List.of`, has the name of its interface. */
    static String spokenName(Object value) {
        Class<?> type = value.getClass();
        if (type.getClassLoader() == null && !Modifier.isPublic(type.getModifiers())) {
            if (value instanceof Map) return "Map";
            if (value instanceof List) return "List";
            if (value instanceof Set) return "Set";
            if (value instanceof Collection) return "Collection";
        }
        return simpleName(type);
    }

    /** The name without its package; Class.getSimpleName would load the enclosing class. */
    static String simpleName(Class<?> type) {
        if (type.isArray()) return simpleName(type.getComponentType()) + "[]";
        String name = type.getName();
        int slash = name.indexOf('/');
        if (slash > 0) name = name.substring(0, slash);
        String own = name.substring(name.lastIndexOf('.') + 1);
        int dollar = own.lastIndexOf('$');
        // A nested class keeps its last part; an anonymous one (`Shop$1`) keeps all.
        boolean isNamed = dollar > 0 && dollar + 1 < own.length() && !Character.isDigit(own.charAt(dollar + 1));
        return isNamed ? own.substring(dollar + 1) : own;
    }

    /** `a Cart`, `an Item`. */
    static String aOr(String name) {
        return ("AEIOUaeiou".indexOf(name.charAt(0)) >= 0 ? "an " : "a ") + name;
    }
}
