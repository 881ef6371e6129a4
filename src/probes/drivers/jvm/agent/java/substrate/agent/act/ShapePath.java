package substrate.agent.act;

import java.util.List;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Shown;

/** Fills the gaps that the daemon left in a path, `shop.users{*}.cart`, where there is only one element or entry. */
final class ShapePath {
    private ShapePath() {}

    /** `names`: the description of each gap. */
    static String path(String shape, List<?> names, Shown shown) throws BadArgument {
        StringBuilder path = new StringBuilder();
        int next = 0;
        boolean isQuoted = false;
        for (int at = 0; at < shape.length(); at++) {
            char character = shape.charAt(at);
            boolean isIndex = !isQuoted && shape.startsWith("[*]", at);
            if (isIndex || !isQuoted && shape.startsWith("{*}", at)) {
                append(path, isIndex, names.get(next++), shown);
                at += 2;
                continue;
            }
            if (character == '"') isQuoted = !isQuoted;
            path.append(character);
            if (isQuoted && character == '\\') path.append(shape.charAt(++at));
        }
        return path.toString();
    }

    private static void append(StringBuilder path, boolean isIndex, Object name, Shown shown) throws BadArgument {
        Object step = shown.onlyStep(path.toString());
        if (isIndex && step instanceof Integer) {
            path.append('[').append(step).append(']');
        } else if (!isIndex && step instanceof String) {
            JsonWriter.string(path.append('['), (String) step);
            path.append(']');
        } else {
            String what = isIndex ? "which element of the list, from 0" : "which entry of the map";
            throw new BadArgument(name + " is missing; expected " + what);
        }
    }
}
