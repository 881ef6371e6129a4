package substrate.agent.read;

import java.nio.charset.StandardCharsets;

/** The length limits of sent texts. */
public final class Texts {
    private Texts() {}

    public static String cut(String text) {
        if (text.length() <= Rules.maxText) return text;
        int end = Character.isHighSurrogate(text.charAt(Rules.maxText - 1)) ? Rules.maxText - 1 : Rules.maxText;
        return text.substring(0, end) + "… [" + text.length() + " characters]";
    }

    /** The text in the bytes, if it is readable and can be sent as a whole; otherwise null. */
    static String ofBytes(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > Rules.maxText || isControl((char) (bytes[0] & 255))) return null;
        String text = new String(bytes, StandardCharsets.UTF_8);
        boolean isBlank = true;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            // Malformed UTF-8 becomes this character.
            if (character == '\uFFFD' || isControl(character)) return null;
            isBlank &= character <= ' ';
        }
        return isBlank ? null : text;
    }

    private static boolean isControl(char character) {
        return character < ' ' && character != '\n' && character != '\r' && character != '\t' || character == 127;
    }

    /** A hash of the sent part of a long text and, with fewer bits, of all of it. */
    public static long hashOfLong(String text) {
        long hash = Hash.START;
        for (int at = 0; at < Rules.maxText; at += 4) {
            long four = text.charAt(at) | (long) text.charAt(at + 1) << 16 | (long) text.charAt(at + 2) << 32
                | (long) text.charAt(at + 3) << 48;
            hash = (hash ^ four) * 0xD6E8FEB86659FD93L;
            hash ^= hash >>> 32;
        }
        return Hash.join(hash, (long) text.hashCode() << 32 | text.length());
    }
}
