package substrate.agent.screen;

import java.util.Map;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;

/** A request to use a widget. The daemon has checked everything that does not need the control, such as types. */
public final class UiRequest {
    public final String operation;
    /** The widget in words for people: `the button "Save"`. */
    public final String called;
    /** The text that the control must show: with another text it would be another control; null if any will do. */
    public final String words;
    private final Map<String, Object> args;

    public UiRequest(Map<?, ?> request, Map<String, Object> args) {
        operation = String.valueOf(request.get("operation"));
        called = String.valueOf(request.get("called"));
        words = (String) request.get("words");
        this.args = args;
    }

    public Object any(String name) {
        return args.get(name);
    }

    public String text(String name) {
        return (String) args.get(name);
    }

    public boolean flag(String name) {
        return (Boolean) args.get(name);
    }

    public int whole(String name) {
        return ((Number) args.get(name)).intValue();
    }

    /** The index of a row. */
    public int index(int count) throws BadArgument {
        String name = operation.equals("set_cell") ? "row" : "index";
        int index = whole("index");
        if (index >= 0 && index < count) return index;
        throw new BadArgument(count == 0 ? name + ": there are no rows" : name + " must be from 0 to " + (count - 1));
    }

    public NotDispatched gone(String how) {
        return new NotDispatched(called + " " + how);
    }

    public static BadArgument unknown(String value) {
        return new BadArgument("value: there is no \"" + Text.shorten(value, 100) + "\" to choose");
    }
}
