package substrate.agent.code;

import static substrate.agent.code.ConstantPool.u2;

/** Lengths of the instructions, and what the plain ones do to the stack, in words: long and double are two. */
final class Instructions {
    /** For each operation from 0: words taken, words put; dashes where it is no plain one. Twenty in a line. */
    private static final String PLAIN =
        "00 -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- " // 0: nop, constants
        + "-- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- " // 20: loads
        + "-- -- -- -- -- -- 21 22 21 22 21 21 21 21 -- -- -- -- -- -- " // 40: array loads, stores
        + "-- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- -- " // 60: stores, array stores
        + "-- -- -- -- -- -- -- 10 20 -- -- -- -- -- -- -- 21 42 21 42 " // 80: pops, dups, adds
        + "21 42 21 42 21 42 21 42 21 42 21 42 21 42 21 42 11 22 11 22 " // 100: arithmetic
        + "21 32 21 32 21 32 21 42 21 42 21 42 -- -- -- -- -- -- -- -- " // 120: shifts, logic, conversions
        + "-- -- -- -- -- -- -- -- 41 21 21 41 41 10 10 10 10 10 10 20 " // 140: comparisons, branches
        + "20 20 20 20 20 20 20 00 -- -- 10 10 10 20 10 20 10 00 -- -- " // 160: branches, returns
        + "-- -- -- -- -- -- -- -- -- -- 11 10 -- 11 10 10 -- -- 10 10 00 -- "; // 180: the rest
    private static final int WIDE = 196;
    private static final int IINC = 132;

    private Instructions() {}

    /** -1: it is no plain one. */
    static int taken(int operation) {
        return operation * 3 >= PLAIN.length() ? -1 : Character.digit(PLAIN.charAt(operation * 3), 10);
    }

    static int put(int operation) {
        return Character.digit(PLAIN.charAt(operation * 3 + 1), 10);
    }

    /** How long the instruction at a place is; `start`: where the code begins, which switches are aligned to. */
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
                int table = aligned(start, at);
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

    /** Where the table of a switch begins. */
    static int aligned(int start, int at) {
        return at + 4 - ((at - start) & 3);
    }

    /** Where a switch may go, relative to its own place; the default first. */
    static int[] targets(byte[] bytes, int start, int at) {
        int table = aligned(start, at);
        boolean isTable = (bytes[at] & 0xff) == 170;
        int count = isTable ? s4(bytes, table + 8) - s4(bytes, table + 4) + 1 : s4(bytes, table + 4);
        if (count < 0 || count > bytes.length) throw new IllegalArgumentException("malformed switch");
        int[] targets = new int[count + 1];
        targets[0] = s4(bytes, table);
        int first = table + 12;
        int step = isTable ? 4 : 8;
        for (int index = 0; index < count; index++) targets[index + 1] = s4(bytes, first + index * step);
        return targets;
    }

    static int s2(byte[] bytes, int at) {
        return (short) u2(bytes, at);
    }

    static int s4(byte[] bytes, int at) {
        return u2(bytes, at) << 16 | u2(bytes, at + 2);
    }
}
