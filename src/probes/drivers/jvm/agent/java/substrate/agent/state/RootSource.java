package substrate.agent.state;

import java.util.List;

/** Finds roots. */
public interface RootSource {
    /**
     * The current roots. Called at each capture, so it must be cheap when nothing is new; it never throws, and never
     * waits longer than a few milliseconds for the app (then it returns the last result). `fresh`: search again even if
     * the last search was a moment ago. It must not keep objects of the app alive between captures (weak references).
     */
    List<RootCandidate> roots(boolean fresh);
}
