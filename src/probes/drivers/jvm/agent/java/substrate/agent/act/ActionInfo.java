package substrate.agent.act;

import java.util.List;

/** Something that can be called, as the daemon is told. */
public final class ActionInfo {
    /** Names the target in the agent; begins with the scheme of its source; stable while the app runs the same code. */
    public final String binding;
    /** `shop.cart.addItem`: where it hangs in the state, and its own name. */
    public final String name;
    public final List<Parameter> parameters;
    /** string, number, boolean, object, array, void or unknown. */
    public final String returns;
    /** none, setter, own-state, control, unknown or unjudged. */
    public final String effect;
    public final String description;
    /** Names and types of the parameters of each operation that may be called. */
    public final List<String[][]> operations;

    public ActionInfo(
        String binding, String name, List<Parameter> parameters, String returns, String effect, String description,
        List<String[][]> operations) {
        this.binding = binding;
        this.name = name;
        this.parameters = parameters;
        this.returns = returns;
        this.effect = effect;
        this.description = description;
        this.operations = operations;
    }
}
