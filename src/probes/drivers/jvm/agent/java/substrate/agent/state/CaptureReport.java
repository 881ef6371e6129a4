package substrate.agent.state;

import java.util.List;

import substrate.agent.json.Pieces;

/** The result of one walk. */
public final class CaptureReport {
    /** JSON of the leaf update, see Protocol. */
    public final Pieces leaves;
    /** Roots in the order in which they are read. */
    public final List<RootCandidate> roots;
    /** The number of leaves before any cap. */
    public final int rawCount;
    /** The read share of the leaves seen: 1 unless a cap was hit. */
    public final double coverage;
    /** The part of the budget that is spent, see Pace; null if none is. */
    public final String stoppedBy;

    public CaptureReport(Pieces leaves, List<RootCandidate> roots, int rawCount, double coverage, String stoppedBy) {
        this.leaves = leaves;
        this.roots = roots;
        this.rawCount = rawCount;
        this.coverage = coverage;
        this.stoppedBy = stoppedBy;
    }
}
