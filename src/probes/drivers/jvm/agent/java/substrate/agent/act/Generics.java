package substrate.agent.act;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashMap;
import java.util.Map;

import substrate.agent.health.Discarded;

/** The types that the type variables of a class and its ancestors stand for. */
final class Generics {
    static final Generics NONE = new Generics(new HashMap<TypeVariable<?>, Type>());
    /** A longer chain of variables that stand for variables is a circle. */
    private static final int MAX_STEPS = 20;

    private final Map<TypeVariable<?>, Type> meanings;

    private Generics(Map<TypeVariable<?>, Type> meanings) {
        this.meanings = meanings;
    }

    /** Reads the variables from the class of an object: `class Names extends Box<String>` fixes the `T` of Box. */
    static Generics of(Class<?> concrete) {
        Generics generics = new Generics(new HashMap<TypeVariable<?>, Type>());
        for (Class<?> type = concrete; type != null && type != Object.class; type = type.getSuperclass()) {
            generics.addAncestors(type, 0);
        }
        return generics;
    }

    private void addAncestors(Class<?> type, int depth) {
        try {
            add(type.getGenericSuperclass());
            for (Type ancestor : type.getGenericInterfaces()) {
                add(ancestor);
                if (depth < MAX_STEPS) addAncestors(raw(ancestor), depth + 1);
            }
        } catch (RuntimeException malformed) {
            // The variables stay open without a readable signature.
            Discarded.count("Generics.addAncestors", malformed);
        } catch (LinkageError missing) {
            // The variables of a missing class stay open, too.
            Discarded.count("Generics.addAncestors", missing);
        }
    }

    private void add(Type type) {
        if (!(type instanceof ParameterizedType)) return;
        Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
        TypeVariable<?>[] variables = raw(type).getTypeParameters();
        for (int at = 0; at < Math.min(arguments.length, variables.length); at++) {
            Type meaning = resolve(arguments[at]);
            if (meaning != variables[at]) meanings.put(variables[at], meaning);
        }
    }

    /** This context, extended by the arguments of a type such as `Box<String>`. */
    Generics within(Type type) {
        if (!(type instanceof ParameterizedType)) return this;
        Generics inner = new Generics(new HashMap<TypeVariable<?>, Type>(meanings));
        inner.add(type);
        return inner;
    }

    Generics and(Generics others) {
        Generics both = new Generics(new HashMap<TypeVariable<?>, Type>(others.meanings));
        both.meanings.putAll(meanings);
        return both;
    }

    /** The unresolved variable that a type is, or that bounds a wildcard; null if there is none. */
    TypeVariable<?> openVariable(Type type) {
        for (int step = 0; step < MAX_STEPS; step++) {
            Type meaning = null;
            if (type instanceof TypeVariable) {
                meaning = meanings.get(type);
                if (meaning == null) return (TypeVariable<?>) type;
            } else if (type instanceof WildcardType) {
                meaning = bound((WildcardType) type);
            }
            if (meaning == null) return null;
            type = meaning;
        }
        return null;
    }

    private static Type bound(WildcardType type) {
        Type[] lower = type.getLowerBounds();
        return lower.length > 0 ? lower[0] : type.getUpperBounds()[0];
    }

    /** The type, or the type that it stands for: the result is neither a variable nor a wildcard. */
    Type resolve(Type type) {
        for (int step = 0; step < MAX_STEPS; step++) {
            if (type instanceof TypeVariable) {
                Type meaning = meanings.get(type);
                type = meaning != null ? meaning : ((TypeVariable<?>) type).getBounds()[0];
            } else if (type instanceof WildcardType) {
                type = bound((WildcardType) type);
            } else {
                return type;
            }
        }
        return Object.class;
    }

    static Class<?> raw(Type type) {
        if (type instanceof Class) return (Class<?>) type;
        if (type instanceof ParameterizedType) return raw(((ParameterizedType) type).getRawType());
        if (type instanceof GenericArrayType) {
            Type component = NONE.resolve(((GenericArrayType) type).getGenericComponentType());
            return Array.newInstance(raw(component), 0).getClass();
        }
        return Object.class;
    }

    /** A type argument; Object where there is none. */
    static Type argument(Type type, int at) {
        if (!(type instanceof ParameterizedType)) return Object.class;
        Type[] arguments = ((ParameterizedType) type).getActualTypeArguments();
        return at < arguments.length ? arguments[at] : Object.class;
    }

    static Type component(Type type) {
        return type instanceof GenericArrayType
            ? ((GenericArrayType) type).getGenericComponentType()
            : raw(type).getComponentType();
    }
}
