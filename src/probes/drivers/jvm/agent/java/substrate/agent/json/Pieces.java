package substrate.agent.json;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/**
 * A large text as UTF-8 in pieces: no array is larger than a few thousand bytes, and nothing is copied when it grows or
 * becomes part of another.
 */
public final class Pieces {
    private static final int PIECE = 8 * 1024;
    /** UTF-8 bytes of one char; half of a surrogate pair takes two. */
    private static final int MAX_BYTES = 3;

    private final List<byte[]> pieces = new ArrayList<byte[]>();
    /** The used bytes of each piece. */
    private int[] lengths = new int[4];
    private final StringBuilder end;
    private final List<byte[]> spare;
    private long settled;

    public Pieces() {
        this(new StringBuilder());
    }

    public Pieces(StringBuilder beginning) {
        this(beginning, new ArrayList<byte[]>());
    }

    /** `spare`: arrays that other texts released; used before new ones are made. */
    public Pieces(StringBuilder beginning, List<byte[]> spare) {
        end = beginning;
        this.spare = spare;
    }

    /** Releases the arrays; the text must not be used any more. */
    public void release() {
        for (byte[] piece : pieces) if (piece.length == PIECE) spare.add(piece);
        pieces.clear();
    }

    /** The builder to append to. Long writers get it again and again, never between the halves of a surrogate pair. */
    public StringBuilder end() {
        if (end.length() >= PIECE) settle();
        return end;
    }

    /** The other text must not be used any more. */
    public Pieces append(Pieces other) {
        settle();
        other.settle();
        for (int at = 0; at < other.pieces.size(); at++) add(other.pieces.get(at), other.lengths[at]);
        return this;
    }

    public int count() {
        settle();
        return pieces.size();
    }

    public byte[] bytes(int piece) {
        return pieces.get(piece);
    }

    /** The number of text bytes in a piece. */
    public int length(int piece) {
        return lengths[piece];
    }

    public long byteCount() {
        settle();
        return settled;
    }

    private void add(byte[] piece, int length) {
        if (pieces.size() == lengths.length) lengths = java.util.Arrays.copyOf(lengths, lengths.length * 2);
        lengths[pieces.size()] = length;
        pieces.add(piece);
        settled += length;
    }

    /** Encodes char by char: the JDK's encoders take a String, which would be one more copy. */
    private void settle() {
        int length = end.length();
        if (length == 0) return;
        byte[] bytes = null;
        int count = 0;
        for (int at = 0; at < length; at++) {
            if (bytes == null) bytes = array(length - at);
            char c = end.charAt(at);
            if (c < 0x80) {
                bytes[count++] = (byte) c;
            } else if (c < 0x800) {
                bytes[count++] = (byte) (0xc0 | c >> 6);
                bytes[count++] = (byte) (0x80 | c & 0x3f);
            } else if (Character.isHighSurrogate(c) && at + 1 < length) {
                int point = Character.toCodePoint(c, end.charAt(++at));
                bytes[count++] = (byte) (0xf0 | point >> 18);
                bytes[count++] = (byte) (0x80 | point >> 12 & 0x3f);
                bytes[count++] = (byte) (0x80 | point >> 6 & 0x3f);
                bytes[count++] = (byte) (0x80 | point & 0x3f);
            } else {
                bytes[count++] = (byte) (0xe0 | c >> 12);
                bytes[count++] = (byte) (0x80 | c >> 6 & 0x3f);
                bytes[count++] = (byte) (0x80 | c & 0x3f);
            }
            if (count > bytes.length - 2 * MAX_BYTES) {
                add(bytes, count);
                bytes = null;
                count = 0;
            }
        }
        if (count > 0) add(bytes, count);
        end.setLength(0);
    }

    private byte[] array(int characters) {
        if (!spare.isEmpty()) return spare.remove(spare.size() - 1);
        return new byte[Math.min(PIECE, characters + characters / 8 + 2 * MAX_BYTES)];
    }

    @Override
    public String toString() {
        byte[] all = new byte[(int) byteCount()];
        int at = 0;
        for (int piece = 0; piece < count(); at += lengths[piece++])
            System.arraycopy(pieces.get(piece), 0, all, at, lengths[piece]);
        return new String(all, Charset.forName("UTF-8"));
    }
}
