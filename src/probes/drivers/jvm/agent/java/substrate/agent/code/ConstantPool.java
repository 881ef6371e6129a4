package substrate.agent.code;

/** The constants of a class file. Throws IllegalArgumentException, or an array's exception, on a malformed constant. */
final class ConstantPool {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int METHOD = 10;
    static final int METHOD_HANDLE = 15;
    static final int DYNAMIC = 17;
    private static final int INVOKE_DYNAMIC = 18;
    /** Kinds of method handles. */
    static final int INVOKE_STATIC = 6;
    static final int INVOKE_SPECIAL = 7;
    static final int NEW_INVOKE_SPECIAL = 8;

    private final byte[] bytes;
    /** The offset of each constant, at its tag; 0 if there is none. */
    private final int[] offsets;
    /** Texts that were decoded already. */
    private final String[] texts;
    /** The offset after the last constant. */
    final int end;

    ConstantPool(byte[] bytes, int at) {
        this.bytes = bytes;
        int count = u2(bytes, at);
        offsets = new int[count];
        texts = new String[count];
        int next = at + 2;
        for (int index = 1; index < count; index++) {
            offsets[index] = next;
            int tag = bytes[next];
            next += 1 + sizeOf(tag, next);
            if (tag == LONG || tag == DOUBLE) index++;
        }
        end = next;
    }

    private int sizeOf(int tag, int at) {
        switch (tag) {
            case UTF8: return 2 + u2(bytes, at + 1);
            case 7: case 8: case 16: case 19: case 20: return 2;
            case 15: return 3;
            case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18: return 4;
            case LONG: case DOUBLE: return 8;
            default: throw new IllegalArgumentException("unknown constant " + tag);
        }
    }

    int tag(int index) {
        return bytes[offset(index)];
    }

    String utf8(int index) {
        String known = texts[index];
        if (known != null) return known;
        int at = offset(index);
        if (bytes[at] != UTF8) throw new IllegalArgumentException("no text at " + index);
        return texts[index] = decode(at + 3, u2(bytes, at + 1));
    }

    /** The text of a class, string, module or method type; null for index 0, which stands for none. */
    String nameAt(int index) {
        return index == 0 ? null : utf8(u2(bytes, offset(index) + 1));
    }

    /** Owner, name and descriptor of a field or method. */
    String[] member(int index) {
        int at = offset(index);
        String[] nameAndType = nameAndType(u2(bytes, at + 3));
        return new String[] {nameAt(u2(bytes, at + 1)), nameAndType[0], nameAndType[1]};
    }

    boolean hasMember(String owner, String name, String descriptor) {
        for (int index = 1; index < offsets.length; index++) {
            if (offsets[index] == 0 || bytes[offsets[index]] != METHOD) continue;
            String[] member = member(index);
            if (member[0].equals(owner) && member[1].equals(name) && member[2].equals(descriptor)) return true;
        }
        return false;
    }

    int size() {
        return offsets.length;
    }

    boolean isDynamic(int index) {
        return offsets[index] != 0 && bytes[offsets[index]] == INVOKE_DYNAMIC;
    }

    /** Name and descriptor of the result of an invokedynamic. */
    String[] dynamic(int index) {
        return nameAndType(u2(bytes, offset(index) + 3));
    }

    /** The index of its bootstrap method. */
    int bootstrapOf(int index) {
        return u2(bytes, offset(index) + 1);
    }

    /** The kind of a method handle: INVOKE_STATIC and the constants below it. */
    int handleKind(int index) {
        return bytes[offset(index) + 1];
    }

    /** The index of the member that a method handle refers to. */
    int handle(int index) {
        return u2(bytes, offset(index) + 2);
    }

    private String[] nameAndType(int index) {
        int at = offset(index);
        return new String[] {utf8(u2(bytes, at + 1)), utf8(u2(bytes, at + 3))};
    }

    private int offset(int index) {
        int at = offsets[index];
        if (at == 0) throw new IllegalArgumentException("no constant " + index);
        return at;
    }

    /** The modified UTF-8 of class files. */
    private String decode(int at, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int end = at + length; at < end;) {
            int first = bytes[at++] & 0xff;
            if (first < 0x80) text.append((char) first);
            else if (first < 0xe0) text.append((char) ((first & 0x1f) << 6 | (bytes[at++] & 0x3f)));
            else text.append((char) ((first & 0xf) << 12 | (bytes[at++] & 0x3f) << 6 | (bytes[at++] & 0x3f)));
        }
        return text.toString();
    }

    static int u2(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
    }

    /** A length: a value above 2 GB is in no class file. */
    static int u4(byte[] bytes, int at) {
        int value = u2(bytes, at) << 16 | u2(bytes, at + 2);
        if (value < 0 || value > bytes.length) throw new IllegalArgumentException("too long");
        return value;
    }
}
