package substrate.agent.act;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import substrate.agent.code.ClassFile;
import substrate.agent.code.StaticState;
import substrate.agent.code.MethodCode;

/** Throws random things at what must never break; answers what broke. */
final class Fuzz {
    private static final String[] CLASSES = {"Shelf", "Kitchen", "Item$Status", "Point", "Shop$Hidden"};
    private static final Object[] SCALARS = {
        null, true, 0L, -1L, 300L, 70000L, 1L << 40, Long.MAX_VALUE, 0.5, -1e300, Double.NaN, "", "x", "NEW", "5",
        "1e999999999", "2024-05-31", "2024-05-31T18:30:00Z", "PT1H", "[ref] nowhere", "https://example.com", "\u0000",
    };
    private static final String[] NAMES = {"sku", "price", "weight", "parts", "x", "y", "history", "note", "1", "$ref"};

    private Fuzz() {}

    static List<Object> classes(int runs) throws Exception {
        List<Object> broken = new ArrayList<Object>();
        for (int seed = 0; seed < runs; seed++) {
            Random random = new Random(seed);
            byte[] bytes = bytesOf(CLASSES[seed % CLASSES.length]);
            int flips = 1 + random.nextInt(8);
            for (int flip = 0; flip < flips; flip++) bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            if (random.nextInt(10) == 0) bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
            try {
                use(ClassFile.parse(bytes));
            } catch (IllegalArgumentException expected) {
                continue;
            } catch (Throwable unexpected) {
                broken.add(seed + " " + unexpected + " at " + unexpected.getStackTrace()[0]);
            }
        }
        return broken;
    }

    /** Whatever is asked of a file that could be parsed must be answered. */
    private static void use(ClassFile file) {
        for (MethodCode method : file.methods()) {
            try {
                method.parameterNames();
                file.localName(method.name, method.descriptor, 1, 7);
                method.isPlainGetter();
                StaticState.of(method);
            } catch (Throwable thrown) {
                throw new IllegalStateException(thrown);
            }
        }
    }

    private static byte[] bytesOf(String name) throws Exception {
        InputStream in = Class.forName("com.example.act.Shop").getResourceAsStream(name + ".class");
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) out.write(b);
        in.close();
        return out.toByteArray();
    }

    static List<Object> json(int runs) throws Exception {
        List<Type> types = new ArrayList<Type>();
        for (Method method : Class.forName("com.example.act.Kitchen").getDeclaredMethods()) {
            for (Type type : method.getGenericParameterTypes()) types.add(type);
        }
        List<Object> broken = new ArrayList<Object>();
        int fitting = 0;
        for (int seed = 0; seed < runs; seed++) {
            Random random = new Random(seed);
            Type type = types.get(random.nextInt(types.size()));
            Object json = value(random, 4);
            try {
                Object value = Coerce.to(json, type, "value");
                boolean fits = value == null || ScalarFromJson.boxed(Generics.raw(type)).isInstance(value);
                if (!fits) broken.add(seed + " " + value.getClass() + " for " + type);
                fitting++;
            } catch (BadArgument expected) {
                continue;
            } catch (Throwable unexpected) {
                broken.add(seed + " " + unexpected + " at " + unexpected.getStackTrace()[0] + " for " + type);
            }
        }
        if (fitting == 0) broken.add("nothing ever fitted");
        return broken;
    }

    private static Object value(Random random, int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(4);
        if (kind < 2) return SCALARS[random.nextInt(SCALARS.length)];
        int count = random.nextInt(4);
        if (kind == 2) {
            List<Object> list = new ArrayList<Object>();
            for (int at = 0; at < count; at++) list.add(value(random, depth - 1));
            return list;
        }
        Map<String, Object> map = new LinkedHashMap<String, Object>();
        for (int at = 0; at < count; at++) map.put(NAMES[random.nextInt(NAMES.length)], value(random, depth - 1));
        return map;
    }
}
