package substrate.agent.act;

/** The object, control or operation is not there any more, or cannot be used now; nothing was called. */
public class NotDispatched extends Exception {
    private static final long serialVersionUID = 1L;

    public NotDispatched(String message) {
        super(message, null, false, false);
    }
}
