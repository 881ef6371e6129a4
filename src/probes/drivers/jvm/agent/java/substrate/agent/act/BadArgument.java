package substrate.agent.act;

/** A value cannot be used; nothing was called. The message names the parameter and what was expected. */
public final class BadArgument extends Exception {
    private static final long serialVersionUID = 1L;

    public BadArgument(String message) {
        super(message, null, false, false);
    }
}
