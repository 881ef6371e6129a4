package substrate.agent.act;

import java.util.Map;

/** What came of a call that reached the app. */
public final class Outcome {
    /** False: the app threw, or had not come back in time. */
    public final boolean ok;
    /** `returned 3`, `threw java.lang.IllegalStateException: no stock`, `is still running in thread …`. */
    public final String message;
    /** As JSON can say it: null, Boolean, Number, String, Map, List. For an exception: {exception, message, at}. */
    public final Object rawReturn;
    /** class, method, signature (the descriptor), instance, thread; null where no method of the app was called. */
    public final Map<String, Object> context;

    public Outcome(boolean ok, String message, Object rawReturn, Map<String, Object> context) {
        this.ok = ok;
        this.message = message;
        this.rawReturn = rawReturn;
        this.context = context;
    }
}
