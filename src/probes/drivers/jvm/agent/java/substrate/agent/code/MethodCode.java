package substrate.agent.code;

import static substrate.agent.code.ConstantPool.u2;
import static substrate.agent.code.ConstantPool.u4;

import java.lang.reflect.Modifier;

import substrate.agent.health.Discarded;

/** One method of a class file. */
public final class MethodCode {
    private static final int SYNTHETIC_OR_MANDATED = 0x9000;

    final ClassFile file;
    public final int access;
    public final String name;
    public final String descriptor;
    /** Offset and length of its instructions; 0 and 0 for a native or abstract method. */
    int codeAt;
    public int codeLength;
    int maxStack;
    int maxLocals;
    /** Its exception handlers: start and end of the guarded code, and the offset of the handler. */
    int[][] handlers = new int[0][];
    private int parametersAt;
    private int localsAt;
    /** The offset after it in the class file. */
    final int end;

    MethodCode(ClassFile file, ConstantPool pool, int at) {
        this.file = file;
        byte[] bytes = file.bytes;
        access = u2(bytes, at);
        name = pool.utf8(u2(bytes, at + 2));
        descriptor = pool.utf8(u2(bytes, at + 4));
        int next = at + 8;
        for (int count = u2(bytes, at + 6); count > 0; count--) {
            String attribute = pool.utf8(u2(bytes, next));
            int length = u4(bytes, next + 2);
            int begin = next + 6;
            next = ClassFile.within(bytes, begin, length);
            if (attribute.equals("Code")) readCode(pool, begin, next);
            else if (attribute.equals("MethodParameters")) parametersAt = begin;
        }
        end = next;
    }

    boolean isStatic() {
        return Modifier.isStatic(access);
    }

    /** True if it only returns a field of its object, or of its class. */
    public boolean isPlainGetter() {
        byte[] bytes = file.bytes;
        int read = isStatic() ? 0 : 1;
        if (codeLength != read + 4 || (read == 1 && bytes[codeAt] != 0x2a)) return false;
        int operation = bytes[codeAt + read] & 0xff;
        int last = bytes[codeAt + read + 3] & 0xff;
        return operation == (read == 0 ? 178 : 180) && last >= 172 && last <= 176;
    }

    private void readCode(ConstantPool pool, int at, int end) {
        byte[] bytes = file.bytes;
        maxStack = u2(bytes, at);
        maxLocals = u2(bytes, at + 2);
        codeLength = u4(bytes, at + 4);
        codeAt = at + 8;
        int next = ClassFile.within(bytes, codeAt, codeLength);
        handlers = new int[u2(bytes, next)][];
        next += 2;
        for (int index = 0; index < handlers.length; index++, next += 8) {
            handlers[index] = new int[] {u2(bytes, next), u2(bytes, next + 2), u2(bytes, next + 4)};
        }
        int count = u2(bytes, next);
        next += 2;
        for (; count > 0; count--) {
            String attribute = pool.utf8(u2(bytes, next));
            int length = u4(bytes, next + 2);
            if (attribute.equals("LocalVariableTable")) localsAt = next + 6;
            next = ClassFile.within(bytes, next + 6, length);
        }
        if (next > end) throw new IllegalArgumentException("code beyond its attribute");
    }

    /** The names in the class file; null if one is missing. */
    public String[] parameterNames() {
        try {
            String[] names = namesFromParameters();
            return names != null ? names : namesFromLocals();
        } catch (RuntimeException malformed) {
            Discarded.count("MethodCode.parameterNames", malformed);
            return null;
        }
    }

    private String[] namesFromParameters() {
        if (parametersAt == 0) return null;
        byte[] bytes = file.bytes;
        String[] names = new String[Descriptor.slots(descriptor).length];
        int found = 0;
        int count = bytes[parametersAt] & 0xff;
        for (int index = 0; index < count; index++) {
            int at = parametersAt + 1 + index * 4;
            boolean isMade = (u2(bytes, at + 2) & SYNTHETIC_OR_MANDATED) != 0;
            // The enclosing instance is in the descriptor too.
            if (u2(bytes, at) == 0 || found == names.length) return null;
            names[found++] = isMade ? "this$0" : file.pool.utf8(u2(bytes, at));
        }
        return found == names.length ? names : null;
    }

    private String[] namesFromLocals() {
        int[] slots = Descriptor.slots(descriptor);
        String[] names = new String[slots.length];
        for (int index = 0; index < slots.length; index++) {
            names[index] = localName(slots[index] + (isStatic() ? 0 : 1), 0, true);
            if (names[index] == null) return null;
        }
        return names;
    }

    /**
     * The variable in a slot. Where several share it: the one that is live at this place of the code, else the one that
     * was live last before it; where the place is not known (negative), the one that is live longest. With `mustLive`
     * only the first counts.
     */
    public String localName(int slot, int place, boolean mustLive) {
        if (localsAt == 0) return null;
        byte[] bytes = file.bytes;
        String name = null;
        int best = -1;
        for (int count = u2(bytes, localsAt), at = localsAt + 2; count > 0; count--, at += 10) {
            if (u2(bytes, at + 8) != slot) continue;
            int start = u2(bytes, at);
            int length = u2(bytes, at + 2);
            boolean lives = place >= start && place < start + length;
            // Lengths and ends are under 2^17, so each kind of match ranks above all of the next kind.
            int fit = lives ? Integer.MAX_VALUE : place >= start + length ? (1 << 20) + start + length : length;
            if (fit <= best || mustLive && !lives) continue;
            best = fit;
            name = file.pool.utf8(u2(bytes, at + 4));
        }
        return name;
    }
}
