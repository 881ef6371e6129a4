package substrate.agent.act;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import substrate.agent.code.ClassFile;
import substrate.agent.code.StaticState;
import substrate.agent.code.MethodCode;

/** Throws random things at what must never break; answers what broke. */
final class Fuzz {
    private static final String[] CLASSES = {"Shelf", "Kitchen", "Item$Status", "Point", "Shop$Hidden"};
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
}
