package substrate.agent.swing;

/** Texts as people see them. */
final class Text {
    private static final int MAX_TEXT = 10000;
    private static final int MAX_CELL = 1000;
    private static final int MAX_DIGITS = 15;
    private static final FieldRef CONTENT = new FieldRef("javax.swing.text.AbstractDocument", "data");
    private static final FieldRef GAP_ARRAY = new FieldRef("javax.swing.text.GapVector", "array");
    private static final FieldRef GAP_START = new FieldRef("javax.swing.text.GapVector", "g0");
    private static final FieldRef GAP_END = new FieldRef("javax.swing.text.GapVector", "g1");
    private static final FieldRef STRING_DATA = new FieldRef("javax.swing.text.StringContent", "data");
    private static final FieldRef STRING_COUNT = new FieldRef("javax.swing.text.StringContent", "count");

    private Text() {}

    /** Of a document of Swing, from where it keeps its characters; null: it is of another make. */
    static String ofDocument(Object document) {
        Object content = CONTENT.of(document);
        Object gapped = GAP_ARRAY.of(content);
        StringBuilder out = new StringBuilder();
        if (gapped instanceof char[]) {
            char[] chars = (char[]) gapped;
            int gap = Math.min(GAP_START.number(content), chars.length);
            append(out, chars, 0, gap);
            append(out, chars, GAP_END.number(content), chars.length);
        } else if (STRING_DATA.of(content) instanceof char[]) {
            append(out, (char[]) STRING_DATA.of(content), 0, STRING_COUNT.number(content));
        } else {
            return null;
        }
        // Every document ends with a line end that nobody wrote.
        if (out.length() > 0 && out.length() <= MAX_TEXT) out.setLength(out.length() - 1);
        return Names.shorten(out.toString(), MAX_TEXT);
    }

    private static void append(StringBuilder out, char[] chars, int from, int to) {
        int length = Math.min(to, chars.length) - from;
        if (length > 0) out.append(chars, from, Math.min(length, MAX_TEXT + 1 - out.length()));
    }

    /** Without the tags of a text that Swing shows as HTML. */
    static String plain(String text) {
        if (text == null) return "";
        if (!text.regionMatches(true, 0, "<html", 0, 5)) return Names.shorten(text, MAX_CELL);
        StringBuilder out = new StringBuilder();
        boolean isTag = false;
        for (int at = 0; at < text.length() && out.length() < MAX_CELL; at++) {
            char c = text.charAt(at);
            if (c == '<') isTag = true;
            else if (c == '>') {
                isTag = false;
                out.append(' ');
            } else if (!isTag) out.append(c);
        }
        String unescaped = out.toString().replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
        return squeeze(unescaped.replace("&amp;", "&"));
    }

    private static String squeeze(String text) {
        StringBuilder out = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c > ' ' || (out.length() > 0 && out.charAt(out.length() - 1) != ' ')) out.append(c > ' ' ? c : ' ');
        }
        return out.toString().trim();
    }

    /** What a cell shows: a number or truth value as such, else the text that the default renderer shows. */
    static Object ofCell(Object value) {
        if (value instanceof String) return plain((String) value);
        if (value == null || value instanceof Boolean || isNumber(value)) return value;
        if (value instanceof java.util.Date) return isoDate((java.util.Date) value);
        if (value instanceof javax.swing.Icon) return null;
        String text = value.toString();
        return text == null ? null : plain(text);
    }

    static boolean isNumber(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Double || value instanceof Float
            || value instanceof Short || value instanceof Byte || value.getClass() == java.math.BigDecimal.class
            || value.getClass() == java.math.BigInteger.class;
    }

    static String isoDate(java.util.Date date) {
        return java.time.Instant.ofEpochMilli(date.getTime()).toString();
    }

    /** A number where the text is nothing but one; `007` and long runs of digits are names of things, not numbers. */
    static Object toValue(String text) {
        int digits = 0;
        boolean hasPoint = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c >= '0' && c <= '9') digits++;
            else if (c == '.' && !hasPoint && digits > 0 && at + 1 < text.length()) hasPoint = true;
            else if (c != '-' || at > 0) return text;
        }
        int first = text.startsWith("-") ? 1 : 0;
        if (digits == 0 || digits > MAX_DIGITS) return text;
        if (text.charAt(first) == '0' && text.length() > first + 1 && text.charAt(first + 1) != '.') return text;
        return hasPoint ? (Object) Double.valueOf(text) : (Object) Long.valueOf(text);
    }
}
