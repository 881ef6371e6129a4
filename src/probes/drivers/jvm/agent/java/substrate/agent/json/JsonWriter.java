package substrate.agent.json;

import java.util.Collection;
import java.util.Map;

/** Writes JSON. A number that JavaScript could not hold exactly, or at all, is written as text. */
public final class JsonWriter {
    private static final long MAX_SAFE = (1L << 53) - 1;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonWriter() {}

    /** null, Boolean, Number, Character, String, Map with text keys, Collection, Object[]; nothing else. */
    public static void value(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean) out.append(value);
        else if (value instanceof String) string(out, (String) value);
        else if (value instanceof Double || value instanceof Float) decimal(out, (Number) value);
        else if (value instanceof Long) whole(out, (Long) value);
        else if (value instanceof Number) out.append(value);
        else if (value instanceof Character) string(out, value.toString());
        else if (value instanceof Map) object(out, (Map<?, ?>) value);
        else if (value instanceof Collection) array(out, (Collection<?>) value);
        else if (value instanceof Object[]) array(out, java.util.Arrays.asList((Object[]) value));
        else throw new IllegalArgumentException("no JSON for " + value.getClass().getName());
    }

    private static void object(StringBuilder out, Map<?, ?> map) {
        char separator = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            separator = ',';
            string(out, (String) entry.getKey());
            out.append(':');
            value(out, entry.getValue());
        }
        out.append(separator == '{' ? "{}" : "}");
    }

    private static void array(StringBuilder out, Collection<?> values) {
        char separator = '[';
        for (Object value : values) {
            out.append(separator);
            separator = ',';
            value(out, value);
        }
        out.append(separator == '[' ? "[]" : "]");
    }

    public static void whole(StringBuilder out, long value) {
        if (value > MAX_SAFE || value < -MAX_SAFE) out.append('"').append(value).append('"');
        else out.append(value);
    }

    public static void decimal(StringBuilder out, Number number) {
        double value = number.doubleValue();
        if (Double.isNaN(value) || Double.isInfinite(value)) out.append('"').append(value).append('"');
        else if (value == Math.rint(value) && Math.abs(value) < 1e15) out.append((long) value);
        // A float as people wrote it: 0.1, not 0.10000000149011612.
        else out.append(number);
    }

    public static void string(StringBuilder out, CharSequence text) {
        out.append('"');
        for (int at = 0, length = text.length(); at < length; at++) {
            char c = text.charAt(at);
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ' || isLoneSurrogate(text, at)) escape(out, c);
            else out.append(c);
        }
        out.append('"');
    }

    /** UTF-8 has no bytes for one half of a pair. */
    private static boolean isLoneSurrogate(CharSequence text, int at) {
        char c = text.charAt(at);
        if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) return false;
        if (Character.isHighSurrogate(c))
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        return at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }

    private static void escape(StringBuilder out, char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) out.append(HEX[(c >> shift) & 15]);
    }
}
