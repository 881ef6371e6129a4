package substrate.agent.act;

import java.util.List;
import java.util.Map;

/** A family of actions: methods of objects, controls of windows, operations of management beans. */
public interface ActionSource {
    /** How its bindings begin: `method:`, `ui:`, `jmx:`. */
    String scheme();

    /** Called after each capture; must be cheap when nothing is new. The most useful first: the list may be cut. */
    List<ActionInfo> actions();

    /**
     * Runs on a thread of its own. Values of `args` are as JSON gives them: null, Boolean, Double or Long, String,
     * List, Map. Throws BadArgument or NotDispatched when nothing was called; what the app throws is an Outcome.
     */
    Outcome invoke(String binding, Map<String, Object> args, Limit limit) throws BadArgument, NotDispatched;
}
