package substrate.agent.act;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import substrate.agent.state.Shown;
import substrate.agent.vm.Vm;

/** From JSON to the values that a method takes. Everything is checked before anything of the app runs. */
public final class Coerce {
    static final String REFERENCE = "$ref";
    private static final String REFERENCE_TEXT = "[ref] ";
    private static final List<String> OF_OBJECT = Arrays.asList("equals/1", "hashCode/0", "toString/0");

    /** Interfaces, and whether they are a piece of code. */
    private static final Map<Class<?>, Boolean> CODE = new WeakHashMap<Class<?>, Boolean>();

    private final Vm vm;
    private final Shown shown;
    private final ContainerFromJson containers = new ContainerFromJson(this);
    private final ObjectFromJson beans = new ObjectFromJson(this);

    /** Without `shown` no value can name an object of the state; without `vm` closed classes stay closed. */
    Coerce(Vm vm, Shown shown) {
        this.vm = vm;
        this.shown = shown;
    }

    /** The value for a parameter of this type. */
    public static Object to(Object json, Type type, String parameter) throws BadArgument {
        Plan plan = new Coerce(null, null).plan(json, Generics.NONE, type, parameter);
        try {
            return plan.make();
        } catch (Exception thrown) {
            throw new BadArgument(parameter + " could not be made: " + thrown.getClass().getName());
        } catch (LinkageError broken) {
            throw new BadArgument(parameter + " could not be made: " + broken.getClass().getName());
        }
    }

    /** How far the value is from the type, 0 when it is at home there; -1: it cannot be used. */
    public static int cost(Object json, Type type) {
        try {
            return new Coerce(null, null).plan(json, Generics.NONE, type, "").cost;
        } catch (BadArgument unfit) {
            return -1;
        }
    }

    Plan plan(Object json, Generics generics, Type declared, String where) throws BadArgument {
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        Plan reference = reference(json, raw, where);
        if (reference != null) return reference;
        if (raw == Optional.class) return optional(json, generics, type, where);
        if (json == null) {
            if (ScalarFromJson.isOptional(raw)) return Plan.ready(ScalarFromJson.empty(raw), 1);
            if (raw.isPrimitive()) throw new BadArgument(where + " is null; expected " + TypeWords.wanted(raw));
            return Plan.ready(null, 0);
        }
        if (raw.isEnum()) return enumConstant(json, raw, where);
        if (ScalarFromJson.knows(raw)) return ScalarFromJson.plan(json, raw, where);
        if (takesAnything(json, raw)) return Plan.ready(json, 20);
        if (raw.isArray()) return array(json, generics, Generics.component(type), raw, where);
        Plan contained = containers.plan(json, generics, type, raw, where);
        if (contained != null) return contained;
        if (isOfPlatform(raw) || raw.isAnnotation()) throw unfit(raw, where);
        return beans.plan(json, generics.within(type), raw, where);
    }

    void open(Class<?> type) {
        if (vm != null) vm.open(type);
    }

    private static boolean takesAnything(Object json, Class<?> raw) {
        if (raw == Object.class) return true;
        boolean isScalar = !(json instanceof List) && !(json instanceof Map);
        return isScalar && (raw == java.io.Serializable.class || raw == Comparable.class) || isNumberFor(json, raw);
    }

    private static boolean isNumberFor(Object json, Class<?> raw) {
        return raw == Number.class && json instanceof Number;
    }

    /** Whether there is JSON for the type at all, or objects of the state may be of it. */
    static boolean canMake(Generics generics, Type declared) {
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        if (raw.isArray()) return canMake(generics, Generics.component(type));
        if (raw == Optional.class) return canMake(generics, Generics.argument(type, 0));
        return raw.isEnum() || ScalarFromJson.knows(raw) || takesAnything(null, raw) || raw == Number.class
            || ContainerFromJson.isContainer(raw) || !isOfPlatform(raw) && !isCode(raw);
    }

    /** An interface of one method: what implements it is a piece of code, which nobody outside has to give. */
    private static boolean isCode(Class<?> raw) {
        if (!raw.isInterface()) return false;
        synchronized (CODE) {
            Boolean known = CODE.get(raw);
            if (known == null) CODE.put(raw, known = hasOneMethod(raw));
            return known;
        }
    }

    private static boolean hasOneMethod(Class<?> raw) {
        String only = null;
        for (Method method : raw.getMethods()) {
            // By the number of its parameters: an interface may narrow the method that it inherits.
            String key = method.getName() + '/' + method.getParameterTypes().length;
            if (!Modifier.isAbstract(method.getModifiers()) || OF_OBJECT.contains(key) || key.equals(only)) continue;
            if (only != null) return false;
            only = key;
        }
        return only != null;
    }

    static boolean isOfPlatform(Class<?> raw) {
        return raw.getClassLoader() == null || TimedCall.isOfPlatform(raw.getName());
    }

    private static BadArgument unfit(Class<?> raw, String where) {
        return new BadArgument(where + " takes " + TypeWords.aOr(raw.getName()) + ", which JSON cannot say");
    }

    /** `[ref] shop.users.ann` or {"$ref": "shop.users.ann"}: the object that the state shows there. */
    private Plan reference(Object json, Class<?> raw, String where) throws BadArgument {
        if (shown == null || raw.isPrimitive() || raw == String.class) return null;
        String path = null;
        if (json instanceof Map && ((Map<?, ?>) json).size() == 1) {
            Object named = ((Map<?, ?>) json).get(REFERENCE);
            if (named instanceof String) path = (String) named;
        } else if (json instanceof String && ((String) json).startsWith(REFERENCE_TEXT) && !raw.isInstance(json)) {
            path = ((String) json).substring(REFERENCE_TEXT.length());
        }
        if (path == null) return null;
        Object object = shown.find(path);
        // A class stands where static fields are shown: no object.
        if (object == null || object instanceof Class) {
            throw new BadArgument(where + " names " + path + ", which is no object of the state");
        }
        if (raw.isInstance(object)) return Plan.ready(object, 0);
        String found = TypeWords.aOr(object.getClass().getName());
        throw new BadArgument(where + " names " + path + ", " + found + "; expected " + TypeWords.aOr(raw.getName()));
    }

    private Plan optional(Object json, Generics generics, Type type, String where) throws BadArgument {
        if (json == null) return Plan.ready(Optional.empty(), 1);
        final Plan inner = plan(json, generics, Generics.argument(type, 0), where);
        Plan plan = new Plan(inner.cost + 1) {
            @Override
            Object make() throws Exception {
                return Optional.ofNullable(inner.make());
            }
        };
        return inner.isReady() ? settle(plan, where) : plan;
    }

    /** By the names of its fields: to ask the enum itself would run its initialiser. */
    private Plan enumConstant(Object json, final Class<?> type, String where) throws BadArgument {
        List<String> names = TypeWords.constants(type);
        if (!(json instanceof String) || !names.contains(json)) {
            throw new BadArgument(where + " is " + TypeWords.given(json) + "; expected " + TypeWords.wanted(type));
        }
        final String name = (String) json;
        open(type);
        return new Plan(4) {
            @Override
            Object make() throws Exception {
                java.lang.reflect.Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(null);
            }
        };
    }

    private Plan array(Object json, Generics generics, Type component, Class<?> raw, String where) throws BadArgument {
        if (raw == char[].class && json instanceof String) return Plan.ready(((String) json).toCharArray(), 5);
        final Plan[] elements = elements(json, generics, component, where);
        final Class<?> element = raw.getComponentType();
        Plan plan = new Plan(costOf(elements)) {
            @Override
            Object make() throws Exception {
                Object array = Array.newInstance(element, elements.length);
                for (int at = 0; at < elements.length; at++) Array.set(array, at, elements[at].make());
                return array;
            }
        };
        return areReady(elements) ? settle(plan, where) : plan;
    }

    Plan[] elements(Object json, Generics generics, Type element, String where) throws BadArgument {
        if (!(json instanceof List)) {
            throw new BadArgument(where + " is " + TypeWords.given(json) + "; expected an array");
        }
        List<?> values = (List<?>) json;
        Plan[] plans = new Plan[values.size()];
        for (int at = 0; at < plans.length; at++) {
            plans[at] = plan(values.get(at), generics, element, where + "[" + at + "]");
        }
        return plans;
    }

    static int costOf(Plan[] plans) {
        int cost = 1;
        for (Plan plan : plans) cost = Math.max(cost, plan.cost + 1);
        return cost;
    }

    static boolean areReady(Plan[] plans) {
        for (Plan plan : plans) if (!plan.isReady()) return false;
        return true;
    }

    /** Makes what is made of JDK classes only, so that what it refuses is known before the app is touched. */
    static Plan settle(Plan plan, String where) throws BadArgument {
        try {
            return Plan.ready(plan.make(), plan.cost);
        } catch (Exception refused) {
            throw new BadArgument(where + " cannot hold these values: " + refused.getClass().getName());
        }
    }

    static boolean isConcrete(Class<?> type) {
        return !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    }

}
