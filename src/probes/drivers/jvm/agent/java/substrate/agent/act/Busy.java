package substrate.agent.act;

/** The app is busy; nothing was called, and the caller may try again. */
public final class Busy extends NotDispatched {
    private static final long serialVersionUID = 1L;

    public Busy(String message) {
        super(message);
    }
}
