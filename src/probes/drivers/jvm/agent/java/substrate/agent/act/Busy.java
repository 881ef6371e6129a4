package substrate.agent.act;

/** The app has no time for it; nothing was called, and it may be tried again. */
public final class Busy extends NotDispatched {
    private static final long serialVersionUID = 1L;

    public Busy(String message) {
        super(message);
    }
}
