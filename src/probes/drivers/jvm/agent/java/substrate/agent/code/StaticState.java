package substrate.agent.code;

import static substrate.agent.code.ConstantPool.u2;

import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

import substrate.agent.health.Discarded;

/**
 * Finds the static fields of its class that a static method uses, directly or through other static methods of the
 * class.
 */
public final class StaticState {
    public static final StaticState NONE = new StaticState(null);
    private final ClassFile file;
    private final Set<String> visited = new HashSet<String>();
    public boolean usesAssignable;
    /** Types of final fields: a list or map in them can change. */
    public final Set<String> held = new LinkedHashSet<String>();

    private StaticState(ClassFile file) {
        this.file = file;
    }

    public static StaticState of(MethodCode method) {
        try {
            StaticState state = new StaticState(method.file);
            state.visit(method);
            return state;
        } catch (RuntimeException malformed) {
            Discarded.count("StaticState.of", malformed);
            return NONE;
        }
    }

    private void visit(MethodCode method) {
        if (method == null || !visited.add(method.name + method.descriptor)) return;
        byte[] bytes = file.bytes;
        int end = method.codeAt + method.codeLength;
        for (int at = method.codeAt; at < end; at += Instructions.length(bytes, method.codeAt, at)) {
            int operation = bytes[at] & 0xff;
            boolean isStatic = operation == Instructions.GETSTATIC || operation == Instructions.PUTSTATIC
                || operation == Instructions.INVOKESTATIC;
            if (!isStatic) continue;
            String[] member = file.pool.member(u2(bytes, at + 1));
            if (!member[0].equals(file.name)) continue;
            if (operation == Instructions.PUTSTATIC) usesAssignable = true;
            else if (operation == Instructions.GETSTATIC) read(member);
            else visit(file.method(member[1], member[2]));
        }
    }

    private void read(String[] field) {
        Integer access = file.staticField(field[1]);
        if (access == null || (access & ClassFile.SYNTHETIC) != 0) return;
        String type = field[2];
        if (!Modifier.isFinal(access)) usesAssignable = true;
        else if (type.charAt(0) == 'L' && !type.equals("L" + file.name + ";")) {
            held.add(type.substring(1, type.length() - 1).replace('/', '.'));
        }
    }
}
