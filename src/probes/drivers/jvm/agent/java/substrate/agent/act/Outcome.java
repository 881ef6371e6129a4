package substrate.agent.act;

import java.util.Map;

/** The result of a call that reached the app. */
public final class Outcome {
    /** False if the app threw, or had not returned in time. */
    public final boolean ok;
    /** `returned 3`, `threw java.lang.IllegalStateException: no stock`, `is still running in thread …`. */
    public final String message;
    /**
     * A value that JSON can express: null, Boolean, Number, String, Map, List. For an exception: {exception, message,
     * at}.
     */
    public final Object rawReturn;
    /**
     * The class, method, signature (the descriptor), instance and thread; null where no method of the app was called.
     */
    public final Map<String, Object> context;

    public Outcome(boolean ok, String message, Object rawReturn, Map<String, Object> context) {
        this.ok = ok;
        this.message = message;
        this.rawReturn = rawReturn;
        this.context = context;
    }
}
