package substrate.agent.act;

/** How long the caller waits for an action, and whether the app's code is interrupted then. */
public final class Limit {
    public final long ms;
    final boolean interrupts;

    public Limit(long ms, boolean interrupts) {
        this.ms = ms;
        this.interrupts = interrupts;
    }

    String time() {
        return ms % 1000 == 0 ? ms / 1000 + " s" : ms + " ms";
    }
}
