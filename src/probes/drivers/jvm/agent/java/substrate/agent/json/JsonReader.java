package substrate.agent.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON into null, Boolean, Long, Double, String, List and Map. */
public final class JsonReader {
    private static final int MAX_DEPTH = 200;
    private final String text;
    private int at;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /** Throws IllegalArgumentException on anything that is no JSON. */
    public static Object parse(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value();
        reader.space();
        if (reader.at != text.length()) throw reader.malformed();
        return value;
    }

    private Object value() {
        space();
        char c = peek();
        if (c == '{') return object();
        if (c == '[') return array();
        if (c == '"') return string();
        if (c == 't') return word("true", Boolean.TRUE);
        if (c == 'f') return word("false", Boolean.FALSE);
        if (c == 'n') return word("null", null);
        return number();
    }

    private Map<String, Object> object() {
        Map<String, Object> map = new LinkedHashMap<String, Object>();
        open();
        if (closes('}')) return map;
        do {
            space();
            String name = string();
            space();
            expect(':');
            map.put(name, value());
        } while (goesOn('}'));
        return map;
    }

    private List<Object> array() {
        List<Object> list = new ArrayList<Object>();
        open();
        if (closes(']')) return list;
        do list.add(value());
        while (goesOn(']'));
        return list;
    }

    private void open() {
        at++;
        if (++depth > MAX_DEPTH) throw malformed();
    }

    private boolean closes(char end) {
        space();
        if (peek() != end) return false;
        at++;
        depth--;
        return true;
    }

    private boolean goesOn(char end) {
        if (closes(end)) return false;
        expect(',');
        return true;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        for (;;) {
            char c = next();
            if (c == '"') return out.toString();
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        switch (c) {
            case 'n': return '\n';
            case 't': return '\t';
            case 'r': return '\r';
            case 'b': return '\b';
            case 'f': return '\f';
            case 'u':
                if (at + 4 > text.length()) throw malformed();
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            default: return c;
        }
    }

    private Object number() {
        int start = at;
        boolean whole = true;
        while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
            char c = text.charAt(at++);
            if (c == '.' || c == 'e' || c == 'E') whole = false;
        }
        String digits = text.substring(start, at);
        // NumberFormatException is an IllegalArgumentException.
        return whole && digits.length() < 19 ? (Object) Long.valueOf(digits) : (Object) Double.valueOf(digits);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw malformed();
        at += word.length();
        return value;
    }

    private void space() {
        while (at < text.length() && text.charAt(at) <= ' ') at++;
    }

    private char peek() {
        if (at >= text.length()) throw malformed();
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void expect(char c) {
        if (next() != c) throw malformed();
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("malformed JSON at " + at);
    }
}
