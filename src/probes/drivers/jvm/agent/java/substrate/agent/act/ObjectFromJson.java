package substrate.agent.act;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import substrate.agent.code.ClassFile;
import substrate.agent.code.Descriptor;

/** Objects of the app made from JSON: by their fields, or by a constructor whose parameters have the given names. */
final class ObjectFromJson {
    private final Coerce coerce;

    ObjectFromJson(Coerce coerce) {
        this.coerce = coerce;
    }

    Plan plan(Object json, Generics generics, Class<?> type, String where) throws BadArgument {
        String name = TypeWords.aOr(TypeWords.simpleName(type));
        if (!Coerce.isConcrete(type)) {
            String kind = type.isInterface() ? "an interface" : "an abstract class";
            throw new BadArgument(where + " takes " + name + ", " + kind + ": name an object of the state, "
                + "{\"$ref\": \"its path\"}");
        }
        if (!(json instanceof Map)) {
            throw new BadArgument(where + " is " + TypeWords.given(json) + "; expected an object for " + name);
        }
        try {
            return fromObject((Map<?, ?>) json, generics, type, where);
        } catch (LinkageError broken) {
            throw new BadArgument(where + " takes " + name + ", whose class is not complete: " + broken);
        } catch (RuntimeException closed) {
            throw new BadArgument(where + " takes " + name + ", which cannot be made from outside");
        }
    }

    private Plan fromObject(Map<?, ?> json, Generics generics, Class<?> type, String where) throws BadArgument {
        coerce.open(type);
        if (isRecord(type)) return record(json, generics, type, where);
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterTypes().length == 0) return byFields(json, generics, type, constructor, where);
        }
        return byConstructor(json, generics, type, where);
    }

    /** Not by Class.isRecord, which older JDKs do not have. */
    static boolean isRecord(Class<?> type) {
        return type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
    }

    private Plan record(Map<?, ?> json, Generics generics, Class<?> type, String where) throws BadArgument {
        Map<String, Field> fields = fieldsOf(type);
        List<Class<?>> types = new ArrayList<Class<?>>();
        List<Type> declared = new ArrayList<Type>();
        for (Field field : fields.values()) {
            types.add(field.getType());
            declared.add(typeOf(field));
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types.toArray(new Class<?>[0]));
            String[] names = fields.keySet().toArray(new String[0]);
            refuseUnknown(json, fields.keySet(), where);
            return byArguments(json, generics, constructor, names, declared.toArray(new Type[0]), where);
        } catch (NoSuchMethodException notCanonical) {
            throw new IllegalArgumentException(notCanonical);
        }
    }

    private Plan byFields(Map<?, ?> json, Generics generics, Class<?> type, final Constructor<?> constructor,
            String where) throws BadArgument {
        Map<String, Field> known = fieldsOf(type);
        refuseUnknown(json, known.keySet(), where);
        final Field[] fields = new Field[json.size()];
        final Plan[] values = new Plan[fields.length];
        Generics inherited = generics.and(Generics.of(type));
        int at = 0;
        for (Map.Entry<?, ?> entry : json.entrySet()) {
            Field field = known.get(entry.getKey());
            coerce.open(field.getDeclaringClass());
            field.setAccessible(true);
            fields[at] = field;
            values[at++] = coerce.plan(entry.getValue(), inherited, typeOf(field), where + "." + entry.getKey());
        }
        constructor.setAccessible(true);
        return new Plan(Coerce.costOf(values) + 2) {
            @Override
            Object make() throws Exception {
                Object[] made = makeAll(values);
                Object bean = constructor.newInstance();
                for (int at = 0; at < fields.length; at++) fields[at].set(bean, made[at]);
                return bean;
            }
        };
    }

    private Plan byConstructor(Map<?, ?> json, Generics generics, Class<?> type, String where) throws BadArgument {
        ClassFile file = ClassFile.of(type);
        List<String> signatures = new ArrayList<String>();
        Plan best = null;
        BadArgument refusal = null;
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Class<?>[] types = constructor.getParameterTypes();
            String[] names = constructor.isSynthetic() || file == null
                ? null
                : file.parameterNames("<init>", Descriptor.of(types, void.class));
            if (names == null) continue;
            Type[] declared = constructor.getGenericParameterTypes();
            signatures.add(java.util.Arrays.asList(names).toString());
            if (!java.util.Arrays.asList(names).containsAll(json.keySet())) continue;
            try {
                Plan plan = byArguments(json, generics, constructor, names,
                    declared.length == types.length ? declared : types, where);
                if (best == null || plan.cost < best.cost) best = plan;
            } catch (BadArgument unfit) {
                refusal = unfit;
            }
        }
        if (best != null) return best;
        if (refusal != null) throw refusal;
        String name = TypeWords.aOr(TypeWords.simpleName(type));
        String ways = signatures.isEmpty() ? "which has no constructor whose parameters are known" : "made of ";
        throw new BadArgument(where + " takes " + name + ", " + ways + TypeWords.joined(signatures));
    }

    private Plan byArguments(Map<?, ?> json, Generics generics, final Constructor<?> constructor, String[] names,
            Type[] types, String where) throws BadArgument {
        final Plan[] values = new Plan[names.length];
        for (int at = 0; at < names.length; at++) {
            boolean isOptional = Generics.raw(generics.resolve(types[at])) == Optional.class;
            if (!json.containsKey(names[at]) && !isOptional) {
                throw new BadArgument(where + "." + names[at] + " is missing");
            }
            values[at] = coerce.plan(json.get(names[at]), generics, types[at], where + "." + names[at]);
        }
        constructor.setAccessible(true);
        return new Plan(Coerce.costOf(values) + 2) {
            @Override
            Object make() throws Exception {
                return constructor.newInstance(makeAll(values));
            }
        };
    }

    static Object[] makeAll(Plan[] plans) throws Exception {
        Object[] values = new Object[plans.length];
        for (int at = 0; at < plans.length; at++) values[at] = plans[at].make();
        return values;
    }

    private static void refuseUnknown(Map<?, ?> json, java.util.Set<String> known, String where) throws BadArgument {
        for (Object name : json.keySet()) {
            if (!known.contains(name)) {
                throw new BadArgument(where + " has no field " + name + "; it has " + TypeWords.joined(known));
            }
        }
    }

    /** Those of the class first: they hide what its ancestors call the same. */
    private static Map<String, Field> fieldsOf(Class<?> type) {
        Map<String, Field> fields = new LinkedHashMap<String, Field>();
        for (Class<?> at = type; at != null && !Coerce.isOfPlatform(at); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                boolean isOwn = !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic();
                if (isOwn && !fields.containsKey(field.getName())) fields.put(field.getName(), field);
            }
        }
        return fields;
    }

    private static Type typeOf(Field field) {
        try {
            return field.getGenericType();
        } catch (RuntimeException malformed) {
            return field.getType();
        }
    }
}
