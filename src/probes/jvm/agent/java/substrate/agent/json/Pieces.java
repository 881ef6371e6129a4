package substrate.agent.json;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/**
 * A text that may be large, as UTF-8 in pieces: no array of it is larger than a few thousand characters, nothing
 * is copied when it grows or becomes part of another.
 */
public final class Pieces {
    private static final Charset UTF_8 = Charset.forName("UTF-8");
    private static final int PIECE = 8 * 1024;

    private final List<byte[]> pieces = new ArrayList<byte[]>();
    private final StringBuilder end;
    private long settled;

    public Pieces() {
        this(new StringBuilder());
    }

    public Pieces(StringBuilder beginning) {
        end = beginning;
    }

    /** Where to append. Whoever appends much asks for it again and again, never between the halves of a pair. */
    public StringBuilder end() {
        if (end.length() >= PIECE) settle();
        return end;
    }

    /** The other one must not be used any more. */
    public Pieces append(Pieces other) {
        settle();
        other.settle();
        pieces.addAll(other.pieces);
        settled += other.settled;
        return this;
    }

    public List<byte[]> bytes() {
        settle();
        return pieces;
    }

    public long byteCount() {
        settle();
        return settled;
    }

    private void settle() {
        int length = end.length();
        for (int from = 0; from < length; ) {
            int to = Math.min(length, from + 2 * PIECE);
            if (to < length && Character.isHighSurrogate(end.charAt(to - 1))) to--;
            byte[] piece = end.substring(from, to).getBytes(UTF_8);
            pieces.add(piece);
            settled += piece.length;
            from = to;
        }
        end.setLength(0);
    }

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder();
        for (byte[] piece : bytes()) all.append(new String(piece, UTF_8));
        return all.toString();
    }
}
