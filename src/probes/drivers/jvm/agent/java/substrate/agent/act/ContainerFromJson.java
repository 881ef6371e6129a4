package substrate.agent.act;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Lists, sets, queues and maps of the JDK. */
final class ContainerFromJson {
    /** The first of these that fits is what an interface gets. */
    private static final Class<?>[] CHOICES = {
        ArrayList.class, LinkedHashSet.class, LinkedList.class, TreeSet.class,
        LinkedHashMap.class, TreeMap.class, ConcurrentHashMap.class,
    };

    private final Coerce coerce;

    ContainerFromJson(Coerce coerce) {
        this.coerce = coerce;
    }

    /** Null: the type is no container of the JDK that could be filled. */
    Plan plan(Object json, Generics generics, Type type, Class<?> raw, String where) throws BadArgument {
        if (!Coerce.isOfPlatform(raw)) return null;
        Class<?> made = classFor(raw);
        if (made == null) return null;
        if (Map.class.isAssignableFrom(made)) return map(json, generics, type, made, where);
        return collection(json, generics, type, made, where);
    }

    /** Whether JSON can fill it. */
    static boolean isContainer(Class<?> raw) {
        return Coerce.isOfPlatform(raw) && classFor(raw) != null;
    }

    private static Class<?> classFor(Class<?> raw) {
        boolean isContainer = Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw);
        if (!isContainer && raw != Iterable.class) return null;
        if (!Coerce.isConcrete(raw)) {
            for (Class<?> choice : CHOICES) if (raw.isAssignableFrom(choice)) return choice;
            return null;
        }
        try {
            return raw.getName().startsWith("java.util.") && raw.getConstructor() != null ? raw : null;
        } catch (NoSuchMethodException notEmpty) {
            return null;
        }
    }

    private Plan collection(Object json, Generics generics, Type type, final Class<?> made, String where)
            throws BadArgument {
        final Plan[] elements = coerce.elements(json, generics, Generics.argument(type, 0), where);
        if (!takesNull(made)) refuseNull((List<?>) json, where);
        Plan plan = new Plan(Coerce.costOf(elements) + distance(made)) {
            @Override
            @SuppressWarnings("unchecked")
            Object make() throws Exception {
                Collection<Object> values = (Collection<Object>) made.getConstructor().newInstance();
                for (Plan element : elements) values.add(element.make());
                return values;
            }
        };
        return Coerce.areReady(elements) ? Coerce.settle(plan, where) : plan;
    }

    private Plan map(Object json, Generics generics, Type type, final Class<?> made, String where) throws BadArgument {
        if (!(json instanceof Map)) {
            throw new BadArgument(where + " is " + TypeWords.given(json) + "; expected an object");
        }
        Map<?, ?> entries = (Map<?, ?>) json;
        if (!takesNull(made)) refuseNull(entries.values(), where);
        Type keyType = Generics.argument(type, 0);
        Type valueType = Generics.argument(type, 1);
        final Plan[] keys = new Plan[entries.size()];
        final Plan[] values = new Plan[entries.size()];
        int at = 0;
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            String name = (String) entry.getKey();
            keys[at] = key(name, generics, keyType, where);
            values[at++] = coerce.plan(entry.getValue(), generics, valueType, where + "." + name);
        }
        Plan plan = new Plan(Math.max(Coerce.costOf(keys), Coerce.costOf(values)) + distance(made)) {
            @Override
            @SuppressWarnings("unchecked")
            Object make() throws Exception {
                Map<Object, Object> map = (Map<Object, Object>) made.getConstructor().newInstance();
                for (int at = 0; at < keys.length; at++) map.put(keys[at].make(), values[at].make());
                return map;
            }
        };
        return Coerce.areReady(keys) && Coerce.areReady(values) ? Coerce.settle(plan, where) : plan;
    }

    /** JSON has only text for keys: `{"7": …}` is the entry 7 of a map of numbers. */
    private Plan key(String name, Generics generics, Type type, String where) throws BadArgument {
        Class<?> raw = Generics.raw(generics.resolve(type));
        Object spoken = name;
        if (raw == Boolean.class && (name.equals("true") || name.equals("false"))) spoken = Boolean.valueOf(name);
        if (ScalarFromJson.isNumber(raw)) {
            Object number = ScalarFromJson.decimal(name);
            if (number != null) spoken = number;
        }
        return coerce.plan(spoken, generics, type, "the key " + TypeWords.given(name) + " of " + where);
    }

    /** What is asked for by its interface is at home; a set or sorted one is not what a JSON array says. */
    private static int distance(Class<?> made) {
        if (List.class.isAssignableFrom(made) || made == LinkedHashMap.class) return 0;
        return Set.class.isAssignableFrom(made) ? 1 : 2;
    }

    private static boolean takesNull(Class<?> made) {
        String name = made.getName();
        boolean isStrict = SortedSet.class.isAssignableFrom(made) || SortedMap.class.isAssignableFrom(made)
            || name.startsWith("java.util.concurrent.") || name.endsWith("Hashtable") || name.endsWith("Properties")
            || name.endsWith("ArrayDeque") || name.endsWith("PriorityQueue");
        return !isStrict;
    }

    private static void refuseNull(Collection<?> values, String where) throws BadArgument {
        for (Object value : values) if (value == null) throw new BadArgument(where + " cannot hold null");
    }
}
