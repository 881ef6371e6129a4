using Substrate.Json;

namespace Substrate.Health
{
    // What one daemon was sent of parts that do not work and of exceptions that were discarded: sent again when it
    // differs.
    sealed class HealthReport
    {
        int partsVersion = -1;
        long discarded;

        // As further members of an object; `all`: also what was sent before.
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
