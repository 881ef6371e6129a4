using Substrate.Json;

namespace Substrate.Health
{
    // The last sent report of parts that do not work and of ignored exceptions: sent again when it differs.
    sealed class HealthReport
    {
        int partsVersion = -1;
        long discarded;

        // Written as further members of an object; `all` repeats what was sent before.
        internal void Write(JsonWriter answer, bool all)
        {
            int version = Parts.Version;
            if (all || version != partsVersion) Parts.Write(answer.Raw(",\"parts\":"));
            partsVersion = version;
            long total = Discarded.Total;
            if (total > 0 && (all || total != discarded)) Discarded.Write(answer.Raw(",\"discarded\":"));
            discarded = total;
        }
    }
}
