package substrate.agent.act;

import static substrate.agent.act.ConstantPool.u2;

import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;

/** Which static methods have to do with the static fields of their class: all others are tools, no part of a state. */
final class StaticState {
    private static final int GETSTATIC = 178;
    private static final int PUTSTATIC = 179;
    private static final int INVOKESTATIC = 184;
    /** What a final field of such a type holds never changes, or is of no interest. */
    private static final String[] CONSTANTS = {
        "Ljava/lang/", "Ljava/math/", "Ljava/time/", "Ljava/text/", "Ljava/nio/", "Ljava/net/", "Ljava/io/",
        "Ljava/security/", "Ljava/util/regex/", "Ljava/util/function/", "Ljava/util/logging/", "Ljava/util/Locale;",
        "Ljava/util/TimeZone;", "Ljava/util/UUID;", "Ljava/util/Comparator;", "Ljava/util/ResourceBundle;",
    };

    private final ClassFile file;
    private final Set<String> visited = new HashSet<String>();

    /** What final fields hold counts too: lists and maps change. */
    private final boolean withFinal;

    private StaticState(ClassFile file, boolean withFinal) {
        this.file = file;
        this.withFinal = withFinal;
    }

    /** By itself, or by other static methods of its class. */
    static boolean isTouchedBy(MethodCode method, boolean withFinal) {
        try {
            return new StaticState(method.file, withFinal).isTouched(method);
        } catch (RuntimeException malformed) {
            return false;
        }
    }

    private boolean isTouched(MethodCode method) {
        if (method == null || !visited.add(method.name + method.descriptor)) return false;
        byte[] bytes = file.bytes;
        int end = method.codeAt + method.codeLength;
        for (int at = method.codeAt; at < end; at += Instructions.length(bytes, method.codeAt, at)) {
            int operation = bytes[at] & 0xff;
            if (operation != GETSTATIC && operation != PUTSTATIC && operation != INVOKESTATIC) continue;
            String[] member = file.pool.member(u2(bytes, at + 1));
            if (!member[0].equals(file.name)) continue;
            if (operation == PUTSTATIC) return true;
            if (operation == GETSTATIC ? isState(member) : isTouched(file.method(member[1], member[2]))) return true;
        }
        return false;
    }

    private boolean isState(String[] field) {
        Integer access = file.staticField(field[1]);
        if (access == null || (access & ClassFile.SYNTHETIC) != 0) return false;
        if (!Modifier.isFinal(access) || !withFinal) return !Modifier.isFinal(access);
        String type = field[2];
        if (type.charAt(0) != 'L' || type.equals("L" + file.name + ";") || type.endsWith("Logger;")) return false;
        for (String constant : CONSTANTS) if (type.startsWith(constant)) return false;
        return true;
    }
}
