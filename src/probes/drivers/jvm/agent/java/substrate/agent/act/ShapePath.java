package substrate.agent.act;

import java.util.List;
import java.util.Map;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Shown;

/** From the shape of a path, `shop.users{*}.cart`, to the path of one object. */
final class ShapePath {
    private ShapePath() {}

    /** `steps`: for each gap in the shape what it is called and, if it was given, its value. */
    static String path(String shape, List<?> steps, Shown shown) throws BadArgument {
        StringBuilder path = new StringBuilder();
        int next = 0;
        for (int at = 0; at < shape.length(); at++) {
            char letter = shape.charAt(at);
            boolean isIndex = shape.startsWith("[*]", at);
            if (letter == '"') {
                int end = behindQuoted(shape, at);
                path.append(shape, at, Math.min(end + 1, shape.length()));
                at = end;
            } else if (isIndex || shape.startsWith("{*}", at)) {
                if (next == steps.size()) throw new BadArgument("a step of " + shape + " is missing");
                append(path, isIndex, (Map<?, ?>) steps.get(next++), shown);
                at += 2;
            } else {
                path.append(letter);
            }
        }
        return path.toString();
    }

    private static void append(StringBuilder path, boolean isIndex, Map<?, ?> step, Shown shown) throws BadArgument {
        String name = String.valueOf(step.get("name"));
        Object given = step.get("value");
        if (given == null) given = onlyStep(path.toString(), isIndex, shown);
        if (isIndex) path.append('[').append(indexOf(given, name)).append(']');
        else join(path, keyOf(given, name));
    }

    private static Object onlyStep(String path, boolean isIndex, Shown shown) {
        Object step = shown.onlyStep(path);
        if (step instanceof Integer) return isIndex ? ((Integer) step).longValue() : null;
        return isIndex ? null : step;
    }

    /** At the closing quote. */
    private static int behindQuoted(String shape, int at) {
        for (at++; at < shape.length() && shape.charAt(at) != '"'; at++) {
            if (shape.charAt(at) == '\\') at++;
        }
        return at;
    }

    private static int indexOf(Object given, String name) throws BadArgument {
        int index = given == null ? -1 : (Integer) Coerce.to(given, int.class, name);
        if (index >= 0) return index;
        String found = given == null ? " is missing" : " is " + TypeWords.given(given);
        throw new BadArgument(name + found + "; expected which element of the list, from 0");
    }

    private static String keyOf(Object given, String name) throws BadArgument {
        if (given instanceof String) return (String) given;
        if (given instanceof Long || given instanceof Boolean) return given.toString();
        String found = given == null ? " is missing" : " is " + TypeWords.given(given);
        throw new BadArgument(name + found + "; expected which entry of the map");
    }

    private static void join(StringBuilder path, String segment) {
        if (isIdentifier(segment)) {
            if (path.length() > 0) path.append('.');
            path.append(segment);
        } else {
            path.append('[');
            JsonWriter.string(path, segment);
            path.append(']');
        }
    }

    static boolean isIdentifier(String text) {
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isLetter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$';
            if (!isLetter && (at == 0 || c < '0' || c > '9')) return false;
        }
        return !text.isEmpty();
    }
}
