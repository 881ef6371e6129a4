package substrate.agent.screen;

import java.util.Map;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;

/** The windows of one toolkit as a tree of facts; what they mean is decided in the daemon. */
public interface Ui {
    /** Looks at the windows; at each capture. */
    void look();

    /** As of the last look. */
    boolean hasWindows();

    /** Writes what is new since the last report, or null; `all`: everything. */
    void report(StringBuilder out, boolean all);

    /** Runs on a thread of its own. Throws when nothing was done; what the app throws is an Outcome. */
    Outcome use(Map<?, ?> request, Map<String, Object> args, long timeoutMs) throws BadArgument, NotDispatched;
}
