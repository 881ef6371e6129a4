package substrate.agent.act;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The parameters of a method as people are told of them. */
final class ParameterList {
    private static final int MAX_NAME = 100;

    private ParameterList() {}

    static List<Parameter> of(Class<?> type, Generics generics, Method method, String descriptor) {
        Type[] types = typesOf(method);
        String[] names = namesOf(type, method.getName(), descriptor, types.length);
        List<Parameter> parameters = new ArrayList<Parameter>(types.length);
        Set<String> taken = new HashSet<String>();
        for (int at = 0; at < types.length; at++) {
            Class<?> raw = Generics.raw(generics.resolve(types[at]));
            boolean isNamed = names != null && isTelling(names[at]);
            String name = unique(isNamed ? names[at] : nameFromType(raw), taken);
            boolean isRest = method.isVarArgs() && at == types.length - 1;
            boolean isOptional = raw == Optional.class || ScalarFromJson.isOptional(raw);
            String json = TypeWords.json(generics, types[at]);
            String description = description(generics, types[at]);
            parameters.add(new Parameter(name, json, !isRest && !isOptional, description));
        }
        return parameters;
    }

    /** With what stands in their angle brackets, where the class says it in a readable way. */
    static Type[] typesOf(Method method) {
        try {
            Type[] types = method.getGenericParameterTypes();
            if (types.length == method.getParameterTypes().length) return types;
        } catch (RuntimeException malformed) {
            // Then without.
        } catch (LinkageError missing) {
            // Then without.
        }
        return method.getParameterTypes();
    }

    static Type resultOf(Method method) {
        try {
            return method.getGenericReturnType();
        } catch (RuntimeException malformed) {
            return method.getReturnType();
        } catch (LinkageError missing) {
            return method.getReturnType();
        }
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

    /** Not `arg0`, `p1`, `var2`, nor what only a compiler would write. */
    private static boolean isTelling(String name) {
        if (!ShapePath.isIdentifier(name) || name.indexOf('$') >= 0 || name.length() > MAX_NAME) return false;
        int letters = 0;
        while (letters < name.length() && Character.isLetter(name.charAt(letters))) letters++;
        String word = name.substring(0, letters);
        boolean isNumbered = letters < name.length() && (word.equals("arg") || word.equals("p") || word.equals("var")
            || word.equals("param"));
        return !isNumbered;
    }

    private static String nameFromType(Class<?> raw) {
        if (ScalarFromJson.boxed(raw) == Boolean.class) return "flag";
        if (ScalarFromJson.isNumber(raw) || ScalarFromJson.isOptional(raw) || raw == Number.class) return "number";
        if (ScalarFromJson.boxed(raw) == Character.class) return "character";
        if (raw == String.class || CharSequence.class.isAssignableFrom(raw)) return "text";
        if (raw == Object.class || raw == Optional.class) return "value";
        if (raw.isArray() || Collection.class.isAssignableFrom(raw)) return "list";
        if (Map.class.isAssignableFrom(raw)) return "map";
        String name = TypeWords.simpleName(raw);
        String lower = Character.toLowerCase(name.charAt(0)) + name.substring(1);
        return ShapePath.isIdentifier(lower) && lower.length() <= MAX_NAME ? lower : "value";
    }

    private static String unique(String name, Set<String> taken) {
        String free = name;
        for (int number = 2; !taken.add(free); number++) free = name + number;
        return free;
    }

    /** What the type of JSON does not say. */
    private static String description(Generics generics, Type declared) {
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        if (raw == Optional.class) return description(generics, Generics.argument(type, 0));
        if (raw.isEnum() || ScalarFromJson.example(raw) != null) return TypeWords.wanted(raw);
        if (ScalarFromJson.boxed(raw) == Character.class) return "one character";
        if (ScalarFromJson.knows(raw) || raw == Object.class) return null;
        return TypeWords.java(generics, type);
    }
}
