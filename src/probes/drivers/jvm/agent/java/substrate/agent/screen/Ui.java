package substrate.agent.screen;

import java.util.Map;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;

/** The windows of one toolkit as a tree of facts; the daemon decides what they mean. */
public interface Ui {
    /** Reads the windows; called at each capture. */
    void readWindows();

    /** As of the last read. */
    boolean hasWindows();

    /** Writes the changes since the last report, or null; `all`: everything. */
    void report(StringBuilder out, boolean all);

    /** Runs on a thread of its own. Throws when nothing was done; an exception of the app becomes an Outcome. */
    Outcome use(Map<?, ?> request, Map<String, Object> args, long timeoutMs) throws BadArgument, NotDispatched;
}
