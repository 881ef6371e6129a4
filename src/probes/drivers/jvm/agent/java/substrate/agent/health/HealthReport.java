package substrate.agent.health;

/** The last sent report of parts that do not work and of ignored exceptions: sent again when it differs. */
public final class HealthReport {
    private int partsVersion = -1;
    private long discarded;

    /** Written as further members of an object; `all` repeats what was sent before. */
    public synchronized void write(StringBuilder out, boolean all) {
        int version = Parts.version();
        if (all || version != partsVersion) Parts.write(out.append(",\"parts\":"));
        partsVersion = version;
        long total = Discarded.total();
        if (total > 0 && (all || total != discarded)) Discarded.write(out.append(",\"discarded\":"));
        discarded = total;
    }
}
