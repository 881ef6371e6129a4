package substrate.agent.state;

import java.util.ArrayList;
import java.util.List;

import substrate.agent.json.JsonReader;
import substrate.agent.json.JsonWriter;

/** Dot notation with bracketed indices; a name that is no identifier is quoted. Same rules as src/model/path.ts. */
final class Paths {
    private Paths() {}

    static void name(StringBuilder path, String name) {
        if (isIdentifier(name)) {
            if (path.length() > 0) path.append('.');
            path.append(name);
        } else {
            path.append('[');
            JsonWriter.string(path, name);
            path.append(']');
        }
    }

    static void index(StringBuilder path, int index) {
        path.append('[').append(index).append(']');
    }

    /** Names as String, indices as Integer; null if it is no path. */
    static List<Object> parse(String path) {
        List<Object> segments = new ArrayList<Object>();
        int at = 0;
        int length = path.length();
        while (at < length) {
            int end;
            if (path.charAt(at) == '[') {
                boolean isQuoted = at + 1 < length && path.charAt(at + 1) == '"';
                end = isQuoted ? endOfQuoted(path, at + 1) : path.indexOf(']', at);
                if (end < 0 || end >= length || path.charAt(end) != ']') return null;
                String inner = path.substring(at + 1, end++);
                try {
                    segments.add(isQuoted ? JsonReader.parse(inner) : (Object) Integer.valueOf(inner));
                } catch (IllegalArgumentException malformed) {
                    return null;
                }
            } else {
                if (at > 0 && path.charAt(at++) != '.') return null;
                for (end = at; end < length && isPart(path.charAt(end)); ) end++;
                if (end == at) return null;
                segments.add(path.substring(at, end));
            }
            at = end;
        }
        return segments.isEmpty() ? null : segments;
    }

    /** The index after the closing quote. */
    private static int endOfQuoted(String path, int open) {
        for (int at = open + 1; at < path.length(); at++) {
            if (path.charAt(at) == '\\') at++;
            else if (path.charAt(at) == '"') return at + 1;
        }
        return -1;
    }

    static boolean isIdentifier(String name) {
        int length = name.length();
        if (length == 0 || name.charAt(0) >= '0' && name.charAt(0) <= '9') return false;
        for (int at = 0; at < length; at++) if (!isPart(name.charAt(at))) return false;
        return true;
    }

    private static boolean isPart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$';
    }
}
