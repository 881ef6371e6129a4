package substrate.agent.act;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import substrate.agent.state.Shown;
import substrate.agent.vm.Vm;

/**
 * Makes values as the daemon describes them, see made-value.ts; the daemon has checked them against the types. Values
 * of JDK classes are made at once; values that need code of the app are made on the thread of the call.
 */
public final class ValueMaker {
    private final Vm vm;
    private final Shown shown;

    public ValueMaker(Vm vm, Shown shown) {
        this.vm = vm;
        this.shown = shown;
    }

    Plan[] plans(Object spec, Generics generics, Type[] types) throws BadArgument {
        List<?> values = (List<?>) spec;
        if (values.size() != types.length) throw new BadArgument("there are other parameters now");
        Plan[] plans = new Plan[types.length];
        for (int at = 0; at < plans.length; at++) plans[at] = plan(values.get(at), generics, types[at]);
        return plans;
    }

    /** Makes all values at once. */
    public Object[] makeAll(Object spec, Class<?>[] types) throws BadArgument {
        Plan[] plans = plans(spec, Generics.NONE, types);
        try {
            return Plan.makeAll(plans);
        } catch (Exception thrown) {
            throw new BadArgument("making the arguments threw " + thrown.getClass().getName());
        } catch (LinkageError broken) {
            throw new BadArgument("making the arguments threw " + broken.getClass().getName());
        }
    }

    private Plan plan(Object spec, Generics generics, Type declared) throws BadArgument {
        Type type = generics.resolve(declared);
        Class<?> raw = Generics.raw(type);
        Plan plan = spec == null ? Plan.ready(null) : planned((Map<?, ?>) spec, generics, type, raw);
        if (plan.isReady() && !fits(raw, ready(plan))) {
            throw new BadArgument("a value is no " + raw.getName());
        }
        return plan;
    }

    private Plan planned(Map<?, ?> spec, Generics generics, Type type, Class<?> raw) throws BadArgument {
        String is = (String) spec.get("is");
        String otherwise = (String) spec.get("otherwise");
        if (is.equals("json")) return Plan.ready(spec.get("json"));
        if (is.equals("object")) return named((String) spec.get("path"), raw, otherwise);
        if (is.equals("constant")) return constant(raw, (String) spec.get("constant"));
        if (is.equals("call")) return call(spec, generics, type, otherwise);
        if (is.equals("list")) return list(spec, generics, type, raw, otherwise);
        if (is.equals("map")) return map(spec, generics, type, otherwise);
        if (is.equals("new")) return made(spec, generics, type, raw);
        throw new BadArgument("a value cannot be left out");
    }

    private static boolean fits(Class<?> raw, Object value) {
        return value == null ? !raw.isPrimitive() : boxed(raw).isInstance(value);
    }

    private static Object ready(Plan plan) throws BadArgument {
        try {
            return plan.make();
        } catch (Exception never) {
            throw new BadArgument("a value cannot be made");
        }
    }

    /** The object is not ready: a set or map would call its hashCode. */
    private Plan named(String path, Class<?> raw, String otherwise) throws BadArgument {
        final Object object = shown == null ? null : shown.find(path);
        // A class stands for its static fields: it is no object.
        if (object == null || object instanceof Class || !raw.isInstance(object)) throw new BadArgument(otherwise);
        return new Plan() {
            @Override
            Object make() {
                return object;
            }
        };
    }

    private Plan constant(final Class<?> type, final String name) {
        open(type);
        return new Plan() {
            @Override
            Object make() throws Exception {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(null);
            }
        };
    }

    private Plan call(Map<?, ?> spec, Generics generics, Type type, String otherwise) throws BadArgument {
        final String owner = (String) spec.get("owner");
        final String by = (String) spec.get("by");
        final Plan[] values = each(spec.get("of"), generics, Generics.argument(type, 0));
        return settled(values, otherwise, new Plan() {
            @Override
            Object make() throws Exception {
                return called(owner, by, Plan.makeAll(values));
            }
        });
    }

    /** Calls a constructor or static method of the JDK that takes these values. */
    private static Object called(String owner, String by, Object[] values) throws Exception {
        if (owner.equals("java.lang.String")) return ((String) values[0]).charAt(0);
        // The null class loader finds classes of the JDK only.
        Class<?> type = Class.forName(owner, false, null);
        if (by.equals("new")) {
            for (Constructor<?> each : type.getConstructors()) {
                if (takes(each.getParameterTypes(), values)) return each.newInstance(values);
            }
        }
        for (Method each : type.getMethods()) {
            boolean isMeant = each.getName().equals(by) && Modifier.isStatic(each.getModifiers());
            if (isMeant && takes(each.getParameterTypes(), values)) return each.invoke(null, values);
        }
        throw new NoSuchMethodException(owner + "." + by);
    }

    private static boolean takes(Class<?>[] types, Object[] values) {
        if (types.length != values.length) return false;
        for (int at = 0; at < types.length; at++) if (!fits(types[at], values[at])) return false;
        return true;
    }

    private Plan list(Map<?, ?> spec, Generics generics, Type type, Class<?> raw, String otherwise) throws BadArgument {
        final String made = (String) spec.get("type");
        if (made == null) return array(spec, generics, type, raw, otherwise);
        final Plan[] values = each(spec.get("of"), generics, Generics.argument(type, 0));
        return settled(values, otherwise, new Plan() {
            @Override
            @SuppressWarnings("unchecked")
            Object make() throws Exception {
                Collection<Object> list = (Collection<Object>) called(made, "new", new Object[0]);
                for (Plan value : values) list.add(value.make());
                return list;
            }
        });
    }

    private Plan array(Map<?, ?> spec, Generics generics, Type type, Class<?> raw, String otherwise)
            throws BadArgument {
        final Class<?> element = raw.isArray() ? raw.getComponentType() : String.class;
        final Plan[] values = each(spec.get("of"), generics, raw.isArray() ? Generics.component(type) : element);
        return settled(values, otherwise, new Plan() {
            @Override
            Object make() throws Exception {
                Object array = Array.newInstance(element, values.length);
                for (int at = 0; at < values.length; at++) Array.set(array, at, values[at].make());
                return array;
            }
        });
    }

    private Plan map(Map<?, ?> spec, Generics generics, Type type, String otherwise) throws BadArgument {
        final String made = (String) spec.get("type");
        final Plan[] keys = each(spec.get("keys"), generics, Generics.argument(type, 0));
        final Plan[] values = each(spec.get("of"), generics, Generics.argument(type, 1));
        Plan plan = new Plan() {
            @Override
            @SuppressWarnings("unchecked")
            Object make() throws Exception {
                Map<Object, Object> map = (Map<Object, Object>) called(made, "new", new Object[0]);
                for (int at = 0; at < keys.length; at++) map.put(keys[at].make(), values[at].make());
                return map;
            }
        };
        return Plan.areReady(keys) ? settled(values, otherwise, plan) : plan;
    }

    private Plan[] each(Object spec, Generics generics, Type type) throws BadArgument {
        List<?> values = (List<?>) spec;
        Plan[] plans = new Plan[values.size()];
        for (int at = 0; at < plans.length; at++) plans[at] = plan(values.get(at), generics, type);
        return plans;
    }

    /** A value of JDK classes only is made at once: then a refusal is known before the app is touched. */
    private static Plan settled(Plan[] parts, String otherwise, Plan plan) throws BadArgument {
        if (!Plan.areReady(parts)) return plan;
        try {
            return Plan.ready(plan.make());
        } catch (Exception refused) {
            throw new BadArgument(otherwise);
        }
    }

    /** Makes an object by the constructor with this descriptor, and sets its fields. */
    private Plan made(Map<?, ?> spec, Generics generics, Type type, Class<?> raw) throws BadArgument {
        try {
            open(raw);
            final Constructor<?> constructor = constructorOf(raw, (String) spec.get("key"));
            Generics inner = generics.within(type).and(Generics.of(raw));
            final Plan[] values = plans(spec.get("of"), inner, TypeDefinitions.typesOf(constructor));
            List<?> set = (List<?>) spec.get("set");
            final Field[] fields = new Field[set.size()];
            final Plan[] others = new Plan[fields.length];
            Map<String, Field> known = TypeDefinitions.fieldsOf(raw);
            for (int at = 0; at < fields.length; at++) {
                List<?> member = (List<?>) set.get(at);
                fields[at] = known.get(member.get(0));
                open(fields[at].getDeclaringClass());
                fields[at].setAccessible(true);
                others[at] = plan(member.get(1), inner, TypeDefinitions.typeOf(fields[at]));
            }
            constructor.setAccessible(true);
            return new Plan() {
                @Override
                Object make() throws Exception {
                    Object[] arguments = Plan.makeAll(values);
                    Object[] later = Plan.makeAll(others);
                    Object object = constructor.newInstance(arguments);
                    for (int at = 0; at < fields.length; at++) fields[at].set(object, later[at]);
                    return object;
                }
            };
        } catch (LinkageError broken) {
            throw new BadArgument(raw.getName() + " is not complete: " + broken);
        } catch (RuntimeException closed) {
            throw new BadArgument(raw.getName() + " cannot be made from outside");
        }
    }

    private static Constructor<?> constructorOf(Class<?> type, String key) throws BadArgument {
        for (Constructor<?> each : type.getDeclaredConstructors()) {
            if (TypeDefinitions.keyOf(each).equals(key)) return each;
        }
        throw new BadArgument(type.getName() + " has no such constructor any more");
    }

    private void open(Class<?> type) {
        if (vm != null) vm.open(type);
    }

    static Class<?> boxed(Class<?> type) {
        return type.isPrimitive() ? java.lang.invoke.MethodType.methodType(type).wrap().returnType() : type;
    }

    /** Makes a value for a control, whose class only the program knows. */
    public static Object like(Object json, Class<?> type, String name) throws BadArgument {
        if (json == null || type.isInstance(json)) return json;
        boolean isText = json instanceof String;
        try {
            if (type.isEnum()) return constantNamed(type, json);
            if (type == java.util.Date.class) {
                return isText ? java.util.Date.from(java.time.OffsetDateTime.parse((String) json).toInstant())
                    : new java.util.Date((Long) json);
            }
            boolean isNumber = Number.class.isAssignableFrom(type);
            boolean isExact = type == Long.class || type.getName().startsWith("java.math.");
            if (isNumber ? json instanceof Number || isText && isExact : isText && type != Boolean.class) {
                boolean isWhole = json instanceof Double && ((Double) json) % 1 == 0;
                String text = isWhole ? new java.math.BigDecimal((Double) json).toPlainString() : json.toString();
                for (String by : new String[] {"valueOf", "parse", "fromString", "new"}) {
                    if (has(type, by)) return called(type.getName(), by, new Object[] {text});
                }
            }
        } catch (Exception unfit) {
            // Nothing is lost: the value is refused below, with a reason.
        }
        throw new BadArgument(name + " is " + json + ", which is no " + TypeWords.simpleName(type));
    }

    private static Object constantNamed(Class<?> type, Object name) throws Exception {
        Field field = type.getDeclaredField((String) name);
        if (!field.isEnumConstant()) throw new NoSuchFieldException();
        field.setAccessible(true);
        return field.get(null);
    }

    private static boolean has(Class<?> type, String by) {
        if (by.equals("new")) return true;
        for (Method each : type.getMethods()) {
            Class<?>[] types = each.getParameterTypes();
            boolean isMeant = each.getName().equals(by) && Modifier.isStatic(each.getModifiers());
            if (isMeant && types.length == 1 && types[0].isAssignableFrom(String.class)) return true;
        }
        return false;
    }
}
