package substrate.agent.act;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import substrate.agent.json.JsonWriter;

/** Types and values in words. */
final class TypeWords {
    private static final int MAX_GIVEN = 80;
    private static final int MAX_CONSTANTS = 40;

    private TypeWords() {}

    /** string, number, boolean, object or array, as JSON says the type; null: anything is taken. */
    static String json(Generics generics, Type declared) {
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        if (raw == Optional.class) return json(generics, Generics.argument(type, 0));
        Class<?> boxed = ScalarFromJson.boxed(raw);
        if (boxed == Boolean.class) return "boolean";
        if (ScalarFromJson.isNumber(raw) || ScalarFromJson.isOptional(raw) || raw == Number.class) return "number";
        if (raw.isEnum() || ScalarFromJson.knows(raw)) return "string";
        if (raw == Object.class || raw == Comparable.class || raw == java.io.Serializable.class) return null;
        if (raw.isArray()) return "array";
        if (Map.class.isAssignableFrom(raw)) return "object";
        if (Collection.class.isAssignableFrom(raw) || raw == Iterable.class) return "array";
        return "object";
    }

    /** What comes back, as ActionInfo says it. */
    static String returned(Generics generics, Type declared) {
        Type type = generics.resolve(declared);
        if (type == void.class || type == Void.class) return "void";
        Class<?> raw = Generics.raw(type);
        // What it brings is waited for.
        if (java.util.concurrent.Future.class.isAssignableFrom(raw)) {
            Type brought = Generics.argument(type, 0);
            return brought == Object.class ? "unknown" : returned(generics, brought);
        }
        String json = json(generics, type);
        return json == null ? "unknown" : json;
    }

    /** For people: `a whole number`, `one of NEW, PAID`, `a date such as 2024-05-31`. */
    static String wanted(Class<?> type) {
        Class<?> boxed = ScalarFromJson.boxed(type);
        if (type.isEnum()) return "one of " + joined(constants(type));
        if (ScalarFromJson.example(type) != null) return ScalarFromJson.example(type);
        if (boxed == Boolean.class) return "true or false";
        if (boxed == Character.class) return "one character";
        if (boxed == Byte.class) return "a whole number from -128 to 127";
        if (boxed == Short.class) return "a whole number from -32768 to 32767";
        if (boxed == Integer.class) return "a whole number from -2147483648 to 2147483647";
        if (boxed == Long.class) return "a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE;
        if (type == java.math.BigInteger.class) return "a whole number";
        if (ScalarFromJson.isNumber(type)) return "a number";
        return ScalarFromJson.knows(type) && !ScalarFromJson.isOptional(type) ? "text" : aOr(simpleName(type));
    }

    /** The name of its class; of one that the JDK hides, such as that of `List.of`, what everybody calls it. */
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

    /** Of an enum, without initialising it. */
    static List<String> constants(Class<?> type) {
        List<String> names = new ArrayList<String>();
        for (Field field : type.getDeclaredFields()) if (field.isEnumConstant()) names.add(field.getName());
        return names;
    }

    /** A value of JSON, cut when it is long. */
    static String given(Object json) {
        if (json instanceof List) return "an array";
        if (json instanceof Map) return "an object";
        StringBuilder text = new StringBuilder();
        JsonWriter.value(text, json);
        return text.length() <= MAX_GIVEN ? text.toString() : text.substring(0, MAX_GIVEN) + "…";
    }

    static String joined(Collection<String> names) {
        StringBuilder text = new StringBuilder();
        int count = 0;
        for (String name : names) {
            if (count++ > 0) text.append(", ");
            if (count > MAX_CONSTANTS) return text.append('…').toString();
            text.append(name);
        }
        return text.toString();
    }

    /** `List<Item>`, `Map<String, Integer>`, `int[]`. */
    static String java(Generics generics, Type declared) {
        return java(generics, declared, 0);
    }

    private static String java(Generics generics, Type declared, int depth) {
        Type type = generics.resolve(declared);
        if (type instanceof GenericArrayType) return java(generics, Generics.component(type), depth + 1) + "[]";
        Class<?> raw = Generics.raw(type);
        if (raw.isArray()) return java(generics, raw.getComponentType(), depth + 1) + "[]";
        if (!(type instanceof ParameterizedType) || depth > 3) return simpleName(raw);
        StringBuilder text = new StringBuilder(simpleName(raw)).append('<');
        String separator = "";
        for (Type argument : ((ParameterizedType) type).getActualTypeArguments()) {
            text.append(separator).append(java(generics, argument, depth + 1));
            separator = ", ";
        }
        return text.append('>').toString();
    }

    /** Without its package; Class.getSimpleName would load what surrounds the class. */
    static String simpleName(Class<?> type) {
        if (type.isArray()) return simpleName(type.getComponentType()) + "[]";
        String name = type.getName();
        int slash = name.indexOf('/');
        if (slash > 0) name = name.substring(0, slash);
        String own = name.substring(name.lastIndexOf('.') + 1);
        int dollar = own.lastIndexOf('$');
        // The last part of a nested class; an anonymous one (`Shop$1`) keeps all.
        boolean isNamed = dollar > 0 && dollar + 1 < own.length() && !Character.isDigit(own.charAt(dollar + 1));
        return isNamed ? own.substring(dollar + 1) : own;
    }

    /** `a Cart`, `an Item`. */
    static String aOr(String name) {
        return ("AEIOUaeiou".indexOf(name.charAt(0)) >= 0 ? "an " : "a ") + name;
    }
}
