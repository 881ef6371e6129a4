package substrate.agent.jmx;

import java.util.Locale;

/** Types as management beans write them: `int`, `java.lang.String`, `[Ljava.lang.String;`. */
final class TypeNames {
    private TypeNames() {}

    /** string, number, boolean, array or object as JSON has them; null: any value is taken. */
    static String json(String type) {
        if (type.startsWith("[")) return "array";
        if (type.equals("boolean") || type.equals("java.lang.Boolean")) return "boolean";
        if (isNumber(type)) return "number";
        if (type.equals("java.lang.String") || type.equals("char") || type.equals("java.lang.Character"))
            return "string";
        if (type.equals("javax.management.ObjectName") || type.startsWith("java.time.")
            || type.equals("java.util.Date"))
            return "string";
        if (type.equals("java.util.List") || type.equals("java.util.Set") || type.equals("java.util.Collection"))
            return "array";
        return type.equals("java.lang.Object") ? null : "object";
    }

    static String returned(String type) {
        if (type.equals("void") || type.equals("java.lang.Void")) return "void";
        String json = json(type);
        return json == null ? "unknown" : json;
    }

    private static boolean isNumber(String type) {
        switch (type) {
            case "int": case "long": case "double": case "float": case "short": case "byte":
            case "java.lang.Integer": case "java.lang.Long": case "java.lang.Double": case "java.lang.Float":
            case "java.lang.Short": case "java.lang.Byte": case "java.lang.Number": case "java.math.BigDecimal":
            case "java.math.BigInteger":
                return true;
            default:
                return false;
        }
    }

    /** Of an open type no value can be made from JSON. */
    static boolean canBeMade(String type) {
        return !type.contains("javax.management.openmbean.");
    }

    /** As the daemon reads it: `java.lang.String[]`. */
    static String text(String type) {
        int depth = 0;
        while (depth < type.length() && type.charAt(depth) == '[') depth++;
        if (depth == 0) return type;
        String element = type.substring(depth);
        String name = element.startsWith("L") ? element.substring(1, element.length() - 1) : primitive(element);
        StringBuilder out = new StringBuilder(name);
        for (int at = 0; at < depth; at++) out.append("[]");
        return out.toString();
    }

    private static String primitive(String letter) {
        int at = "IJSBDFZC".indexOf(letter);
        String[] names = {"int", "long", "short", "byte", "double", "float", "boolean", "char"};
        return at < 0 || letter.isEmpty() ? letter : names[at];
    }

    static Class<?> find(String type, ClassLoader loader) throws ClassNotFoundException {
        switch (type) {
            case "int": return int.class;
            case "long": return long.class;
            case "double": return double.class;
            case "float": return float.class;
            case "short": return short.class;
            case "byte": return byte.class;
            case "boolean": return boolean.class;
            case "char": return char.class;
            default: return Class.forName(type, false, loader);
        }
    }

    /** The name that the bean gives; `p0` and its like say nothing, so the type does. */
    static String parameter(String given, String[] types, int at, String[] before) {
        String name = given == null ? "" : given.trim();
        if (isGeneric(name)) name = ofType(types[at]);
        // That says which bean is meant, where there are many.
        if (name.equals(BeanActions.BEAN)) name = "whichBean";
        String free = name;
        for (int number = 2; isTaken(free, before, at); number++) free = name + number;
        return free;
    }

    private static boolean isTaken(String name, String[] before, int end) {
        for (int at = 0; at < end; at++) if (name.equals(before[at])) return true;
        return false;
    }

    static boolean isGeneric(String name) {
        int end = name.length();
        while (end > 0 && Character.isDigit(name.charAt(end - 1))) end--;
        String word = name.substring(0, end).toLowerCase(Locale.ROOT);
        return word.isEmpty()
            || (end < name.length() && (word.equals("p") || word.equals("arg") || word.equals("param")));
    }

    private static String ofType(String type) {
        String json = json(type);
        if ("number".equals(json)) return "number";
        if ("boolean".equals(json)) return "flag";
        if ("array".equals(json)) return "values";
        if (type.equals("java.lang.String")) return "text";
        String simple = type.substring(1 + Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')));
        return simple.isEmpty() ? "value" : Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
    }
}
