package substrate.agent;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Arrays;
import substrate.agent.json.Pieces;

/** The frames of a connection, see Protocol. One thread reads, any may write. */
final class Frames {
    private static final Charset UTF_8 = Charset.forName("UTF-8");
    private static final int CHUNK = 8 * 1024;
    private final Link link;
    private final byte[] header = new byte[4];

    Frames(Link link) {
        this.link = link;
    }

    /** Null if the other side has closed. */
    String read() throws IOException {
        if (fill(header, 0, 4) < 4) return null;
        long length = (header[0] & 255) | (header[1] & 255) << 8 | (header[2] & 255) << 16 | (header[3] & 255L) << 24;
        if (length > Protocol.MAX_FRAME) throw new IOException("the frame is too long");
        // The array grows with the received bytes, not with the announced length.
        byte[] bytes = new byte[(int) Math.min(length, CHUNK)];
        int have = 0;
        for (;;) {
            have = fill(bytes, have, bytes.length);
            if (have == length) return new String(bytes, 0, have, UTF_8);
            if (have < bytes.length) return null;
            bytes = Arrays.copyOf(bytes, (int) Math.min(length, bytes.length * 2L));
        }
    }

    private int fill(byte[] bytes, int from, int to) throws IOException {
        int at = from;
        while (at < to) {
            int count = link.read(bytes, at, to - at);
            if (count < 0) break;
            at += count;
        }
        return at;
    }

    void write(StringBuilder text) throws IOException {
        write(new Pieces(text));
    }

    synchronized void write(Pieces text) throws IOException {
        long length = text.byteCount();
        if (length > Protocol.MAX_FRAME) throw new IOException("too large for a frame");
        link.write(new byte[] {(byte) length, (byte) (length >> 8), (byte) (length >> 16), (byte) (length >> 24)}, 4);
        int count = text.count();
        for (int piece = 0; piece < count; piece++) link.write(text.bytes(piece), text.length(piece));
    }

    void close() {
        link.close();
    }
}
