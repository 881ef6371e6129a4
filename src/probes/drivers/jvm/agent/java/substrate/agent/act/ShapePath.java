package substrate.agent.act;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Shown;

/** The shape of a path, `shop.users{*}.cart`: what an action is called, what it must be told, where it then goes. */
final class ShapePath {
    private static final String ONLY = "; not needed if there is only one";

    /** What stands before each gap, and at last behind them all. */
    private final List<String> fixed = new ArrayList<String>();
    private final List<Parameter> gaps = new ArrayList<Parameter>();
    private final Set<String> names = new HashSet<String>();

    ShapePath(String shape) {
        int begin = 0;
        int indices = 0;
        int keys = 0;
        for (int at = 0; at < shape.length(); at++) {
            if (shape.charAt(at) == '"') {
                at = behindQuoted(shape, at);
            } else if (shape.startsWith("[*]", at) || shape.startsWith("{*}", at)) {
                fixed.add(shape.substring(begin, at));
                gaps.add(shape.charAt(at) == '[' ? index(++indices) : key(++keys));
                begin = at + 3;
                at += 2;
            }
        }
        fixed.add(shape.substring(Math.min(begin, shape.length())));
        for (Parameter gap : gaps) names.add(gap.name);
    }

    /** It leads over a constant that is an object by itself (`Direction.NORTH`), not a list or map of objects. */
    static boolean isConstant(String shape) {
        int begin = 0;
        for (int at = 0; at <= shape.length(); at++) {
            char c = at == shape.length() ? '.' : shape.charAt(at);
            if (c == '"') {
                at = behindQuoted(shape, at);
            } else if (c == '.' || c == '[' || c == '{') {
                if (c == '.' && isWrittenAsConstant(shape, begin, at)) return true;
                begin = at + 1;
            }
        }
        return false;
    }

    /** All capitals, but not the one object of a class, which is what there is to call. */
    private static boolean isWrittenAsConstant(String shape, int begin, int end) {
        if (end - begin < 2 || begin == 0 || shape.charAt(begin - 1) != '.') return false;
        for (int at = begin; at < end; at++) {
            char c = shape.charAt(at);
            if ((c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_') return false;
        }
        return !shape.startsWith("INSTANCE", begin);
    }

    private static Parameter index(int count) {
        return new Parameter(count == 1 ? "index" : "index" + count, "number", false, "which element of the list" + ONLY);
    }

    private static Parameter key(int count) {
        return new Parameter(count == 1 ? "key" : "key" + count, "string", false, "which entry of the map" + ONLY);
    }

    /** At the closing quote. */
    private static int behindQuoted(String shape, int at) {
        for (at++; at < shape.length() && shape.charAt(at) != '"'; at++) {
            if (shape.charAt(at) == '\\') at++;
        }
        return at;
    }

    List<Parameter> parameters() {
        return gaps;
    }

    /** A parameter of a method that is called like one of these gets another name. */
    String nameFor(String parameter) {
        return names.contains(parameter) ? parameter + "_argument" : parameter;
    }

    boolean asksFor(String name) {
        return names.contains(name);
    }

    /** What the action is called: the shape without its gaps. */
    String name(String method) {
        StringBuilder name = new StringBuilder();
        for (String part : fixed) name.append(part);
        join(name, method);
        return name.toString();
    }

    /** The path of one object. */
    String path(Map<String, Object> args, Shown shown) throws BadArgument {
        StringBuilder path = new StringBuilder(fixed.get(0));
        for (int at = 0; at < gaps.size(); at++) {
            Parameter gap = gaps.get(at);
            Object given = args.get(gap.name);
            if (given == null) given = onlyStep(path.toString(), gap, shown);
            if (gap.type.equals("number")) path.append('[').append(indexOf(given, gap.name)).append(']');
            else join(path, keyOf(given, gap.name));
            path.append(fixed.get(at + 1));
        }
        return path.toString();
    }

    private static Object onlyStep(String path, Parameter gap, Shown shown) {
        Object step = shown.onlyStep(path);
        if (step instanceof Integer) return gap.type.equals("number") ? ((Integer) step).longValue() : null;
        return gap.type.equals("number") ? null : step;
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
