package substrate.agent.read;

import java.nio.charset.StandardCharsets;

/** How much of a text is sent. */
public final class Texts {
    public static final int MAX_TEXT = 4096;

    private Texts() {}

    public static String cut(String text) {
        if (text.length() <= MAX_TEXT) return text;
        int end = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
        return text.substring(0, end) + "… [" + text.length() + " characters]";
    }

    /** What the bytes say, if they are a text that can be read and sent as a whole; else null. */
    static String ofBytes(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > MAX_TEXT || isControl((char) (bytes[0] & 255))) return null;
        String text = new String(bytes, StandardCharsets.UTF_8);
        boolean isBlank = true;
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            // What is no UTF-8 becomes this.
            if (letter == '\uFFFD' || isControl(letter)) return null;
            isBlank &= letter <= ' ';
        }
        return isBlank ? null : text;
    }

    private static boolean isControl(char letter) {
        return letter < ' ' && letter != '\n' && letter != '\r' && letter != '\t' || letter == 127;
    }

    /** Of what is sent of a long text, and, with fewer bits, of all of it. */
    public static long hashOfLong(String text) {
        long hash = Hash.START;
        for (int at = 0; at < MAX_TEXT; at += 4) {
            long four = text.charAt(at) | (long) text.charAt(at + 1) << 16 | (long) text.charAt(at + 2) << 32
                | (long) text.charAt(at + 3) << 48;
            hash = (hash ^ four) * 0xD6E8FEB86659FD93L;
            hash ^= hash >>> 32;
        }
        return Hash.join(hash, (long) text.hashCode() << 32 | text.length());
    }
}
