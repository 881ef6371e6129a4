package substrate.agent.state;

import java.util.List;

/** Finds places where state begins. */
public interface RootSource {
    /**
     * The roots as they are now. Called at each capture, so it must be cheap when nothing is new; never throws, never
     * waits longer than a few milliseconds for the app (then the last answer stands). `fresh`: look again even if the
     * last look was a moment ago. Must not keep objects of the app alive between captures (weak references).
     */
    List<RootCandidate> roots(boolean fresh);
}
