using System.Collections.Generic;
using Substrate.Json;
using Substrate.State;

namespace Substrate
{
    // The roots that were sent to the daemon last: they are sent again when they differ.
    sealed class SentCache
    {
        // Limit for the report of all roots: with too many, some are sent without their names.
        const int MaxBytes = 8 * 1024 * 1024;
        // Null if nothing was sent.
        List<string> roots;

        internal void Forget()
        {
            roots = null;
        }

        internal void Roots(JsonWriter answer, IList<RootCandidate> now)
        {
            if (AreSame(now))
            {
                answer.Raw("null");
                return;
            }
            var before = new HashSet<string>(roots ?? new List<string>());
            roots = new List<string>();
            var added = new JsonWriter();
            answer.Raw("{\"order\":[");
            foreach (RootCandidate root in now)
            {
                answer.Raw(roots.Count == 0 ? "" : ",").Raw(root.Id);
                roots.Add(root.Id);
                if (!before.Contains(root.Id)) Write(added.Length == 0 ? added : added.Raw(','), root);
            }
            answer.Raw("],\"added\":[").Raw(added).Raw("]}");
        }

        static void Write(JsonWriter json, RootCandidate root)
        {
            bool hasRoom = json.Length < MaxBytes;
            json.Raw("{\"id\":").Raw(root.Id).Raw(",\"kind\":").Text(root.Kind);
            json.Raw(",\"type\":").Text(hasRoom ? RequestHandler.Cut(root.Type, 2000) : null);
            json.Raw(",\"name\":").Text(hasRoom ? RequestHandler.Cut(root.Name, 1000) : null);
            json.Raw(",\"where\":").Text(hasRoom ? RequestHandler.Cut(root.Where, 2000) : null).Raw('}');
        }

        bool AreSame(IList<RootCandidate> now)
        {
            if (roots == null || now.Count != roots.Count) return false;
            for (int at = 0; at < now.Count; at++) if (now[at].Id != roots[at]) return false;
            return true;
        }
    }
}
