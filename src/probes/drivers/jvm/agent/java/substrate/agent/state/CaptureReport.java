package substrate.agent.state;

import java.util.List;

import substrate.agent.json.Pieces;

/** What one walk found. */
public final class CaptureReport {
    /** JSON of the leaf update, see Protocol. */
    public final Pieces leaves;
    /** In the order in which they are read. */
    public final List<RootCandidate> roots;
    /** Leaves seen before any cap. */
    public final int rawCount;
    /** Share of what was seen that was also read: 1 unless a cap was hit. */
    public final double coverage;
    /** The part of the budget that is spent, see Pace; null: none. */
    public final String stoppedBy;

    public CaptureReport(Pieces leaves, List<RootCandidate> roots, int rawCount, double coverage, String stoppedBy) {
        this.leaves = leaves;
        this.roots = roots;
        this.rawCount = rawCount;
        this.coverage = coverage;
        this.stoppedBy = stoppedBy;
    }
}
