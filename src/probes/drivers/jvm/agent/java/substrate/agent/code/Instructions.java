package substrate.agent.code;

import static substrate.agent.code.ConstantPool.u2;

/** Lengths of the instructions, and which of them refer to a member. */
final class Instructions {
    static final int GETSTATIC = 178;
    static final int PUTSTATIC = 179;
    static final int INVOKEVIRTUAL = 182;
    static final int INVOKESPECIAL = 183;
    static final int INVOKESTATIC = 184;
    static final int INVOKEDYNAMIC = 186;
    static final int CHECKCAST = 192;
    private static final int LDC = 18;
    private static final int LDC2_W = 20;
    private static final int WIDE = 196;
    private static final int IINC = 132;

    private Instructions() {}

    /** True if it refers to a field, a method, an invokedynamic or a class. */
    static boolean refers(int operation) {
        return operation >= GETSTATIC && operation <= INVOKEDYNAMIC || operation == CHECKCAST;
    }

    static boolean isDynamicConstant(ConstantPool pool, byte[] bytes, int at) {
        int operation = bytes[at] & 0xff;
        if (operation < LDC || operation > LDC2_W) return false;
        return pool.tag(operation == LDC ? bytes[at + 1] & 0xff : u2(bytes, at + 1)) == ConstantPool.DYNAMIC;
    }

    /** The length of the instruction at `at`; switches are aligned to `start`, the beginning of the code. */
    static int length(byte[] bytes, int start, int at) {
        int operation = bytes[at] & 0xff;
        switch (operation) {
            case 16: case 18: case 21: case 22: case 23: case 24: case 25:
            case 54: case 55: case 56: case 57: case 58: case 169: case 188:
                return 2;
            case 17: case 19: case 20: case IINC: case 187: case 189: case 192: case 193: case 198: case 199:
                return 3;
            case 185: case 186: case 200: case 201:
                return 5;
            case 197:
                return 4;
            case WIDE:
                return (bytes[at + 1] & 0xff) == IINC ? 6 : 4;
            case 170: case 171: {
                int table = at + 4 - ((at - start) & 3);
                int size = operation == 170
                    ? 12 + 4 * (s4(bytes, table + 8) - s4(bytes, table + 4) + 1)
                    : 8 + 8 * s4(bytes, table + 4);
                if (size < 8 || size > bytes.length) throw new IllegalArgumentException("malformed switch");
                return table + size - at;
            }
            default:
                if (operation > 201) throw new IllegalArgumentException("unknown operation");
                boolean hasIndex = operation >= 153 && operation <= 168 || operation >= 178 && operation <= 184;
                return hasIndex ? 3 : 1;
        }
    }

    private static int s4(byte[] bytes, int at) {
        return u2(bytes, at) << 16 | u2(bytes, at + 2);
    }
}
