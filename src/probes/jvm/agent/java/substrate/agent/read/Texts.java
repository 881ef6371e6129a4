package substrate.agent.read;

/** How much of the texts of one report is sent. */
public final class Texts {
    public static final int MAX_TEXT = 4096;
    /** All texts of one report together; when it is used up only the beginning of each is sent. */
    private static final long REPORT_TEXT = 32L * 1024 * 1024;
    private static final int SHORT_TEXT = 100;
    private long left = REPORT_TEXT;

    public CharSequence cut(String text) {
        int limit = left > 0 ? MAX_TEXT : SHORT_TEXT;
        left -= Math.min(text.length(), limit);
        return cut(text, limit);
    }

    public static String cut(String text, int limit) {
        if (text.length() <= limit) return text;
        int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
        return text.substring(0, end) + "… [" + text.length() + " characters]";
    }
}
