package substrate.agent.swing;

import java.util.Map;
import substrate.agent.act.BadArgument;

/** The arguments of an action, checked. */
final class Given {
    private final Map<String, Object> args;

    Given(Map<String, Object> args) {
        this.args = args;
    }

    Object any(String name) {
        return args.get(name);
    }

    /** A number is taken for what a person would write. */
    String text(String name) throws BadArgument {
        Object value = args.get(name);
        if (value instanceof String) return (String) value;
        if (value instanceof Number || value instanceof Boolean) return textOf(value);
        throw new BadArgument(name + " must be a text");
    }

    static String textOf(Object value) {
        if (!(value instanceof Double)) return String.valueOf(value);
        double number = (Double) value;
        boolean isWhole = number == Math.rint(number) && Math.abs(number) < 1e15;
        return isWhole ? String.valueOf((long) number) : value.toString();
    }

    boolean flag(String name) throws BadArgument {
        Object value = args.get(name);
        if (value instanceof Boolean) return (Boolean) value;
        throw new BadArgument(name + " must be true or false");
    }

    double number(String name) throws BadArgument {
        Object value = args.get(name);
        if (value instanceof Number) return ((Number) value).doubleValue();
        throw new BadArgument(name + " must be a number");
    }

    int whole(String name) throws BadArgument {
        double value = number(name);
        if (value != (int) value) throw new BadArgument(name + " must be a whole number");
        return (int) value;
    }

    int index(String name, int count) throws BadArgument {
        int index = whole(name);
        if (index >= 0 && index < count) return index;
        throw new BadArgument(count == 0 ? name + ": there are no rows" : name + " must be from 0 to " + (count - 1));
    }

    BadArgument unknown(String name, String value) {
        return new BadArgument(name + ": there is no \"" + Names.shorten(value, 100) + "\" to choose");
    }
}
