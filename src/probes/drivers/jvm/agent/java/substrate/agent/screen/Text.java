package substrate.agent.screen;

import substrate.agent.read.Scalars;

/** Texts as people see them. */
public final class Text {
    public static final int MAX_TEXT = 10000;
    private static final int MAX_CELL = 1000;

    private Text() {}

    /** The text of a Swing document, from the field with its characters; null for a document of another class. */
    public static String ofDocument(Object document) {
        Object content = Fields.of(document, "javax.swing.text.AbstractDocument.data");
        Object gapped = Fields.of(content, "javax.swing.text.GapVector.array");
        StringBuilder out = new StringBuilder();
        if (gapped instanceof char[]) {
            char[] chars = (char[]) gapped;
            int gap = Math.min(Fields.number(content, "javax.swing.text.GapVector.g0"), chars.length);
            append(out, chars, 0, gap);
            append(out, chars, Fields.number(content, "javax.swing.text.GapVector.g1"), chars.length);
        } else {
            Object data = Fields.of(content, "javax.swing.text.StringContent.data");
            if (!(data instanceof char[])) return null;
            append(out, (char[]) data, 0, Fields.number(content, "javax.swing.text.StringContent.count"));
        }
        // Every document ends with an implicit line end.
        if (out.length() > 0 && out.length() <= MAX_TEXT) out.setLength(out.length() - 1);
        return shorten(out.toString(), MAX_TEXT);
    }

    private static void append(StringBuilder out, char[] chars, int from, int to) {
        int length = Math.min(to, chars.length) - from;
        if (length > 0) out.append(chars, from, Math.min(length, MAX_TEXT + 1 - out.length()));
    }

    /** Removes the tags of a text that Swing shows as HTML. */
    public static String plain(String text) {
        if (text == null) return "";
        if (!text.regionMatches(true, 0, "<html", 0, 5)) return shorten(text, MAX_CELL);
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

    /** The shown value of a cell: a number or boolean as such, otherwise the text of the default renderer. */
    public static Object ofCell(Object value) {
        if (value instanceof String) return plain((String) value);
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long
            || value instanceof Double || value instanceof Float || value instanceof Short || value instanceof Byte)
            return value;
        if (value instanceof java.util.Date)
            return java.time.Instant.ofEpochMilli(((java.util.Date) value).getTime()).toString();
        if (Types.isA(value, "javax.swing.Icon")) return null;
        Class<?> type = value.getClass();
        boolean isLong = type == java.math.BigDecimal.class || type == java.math.BigInteger.class;
        String text = isLong ? Scalars.text(value) : value.toString();
        return text == null ? null : plain(text);
    }

    public static String shorten(String text, int limit) {
        return text.length() > limit ? text.substring(0, limit) + "…" : text;
    }
}
