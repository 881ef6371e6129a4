package substrate.agent.act;

import java.util.List;
import java.util.Map;

/** A family of actions: methods of objects, controls of windows, operations of management beans. */
public interface ActionSource {
    /** How its bindings begin: `method:`, `ui:`, `jmx:`. */
    String scheme();

    /** Called after each capture; must be cheap when nothing is new. The most useful first: the list may be cut. */
    List<ActionInfo> actions();

    /** Of all that its operations take. */
    Class<?>[] typesOf(String binding);

    /**
     * Runs on a thread of its own. `call`: as BeanCall of agent-protocol.ts. Throws BadArgument or NotDispatched when
     * nothing was called; what the app throws is an Outcome.
     */
    Outcome invoke(String binding, Map<?, ?> call, Limit limit) throws BadArgument, NotDispatched;
}
