using System.Collections.Generic;
using Substrate.Json;
using Substrate.State;

namespace Substrate
{
    // What the daemon was told last, so that roots are told again only when they have changed.
    sealed class SentCache
    {
        List<Root> roots;

        internal void Forget()
        {
            roots = null;
        }

        internal void Roots(JsonWriter answer, IList<Root> now)
        {
            if (roots != null && AreSame(now))
            {
                answer.Raw("null");
                return;
            }
            roots = new List<Root>(now);
            answer.Raw('[');
            for (int at = 0; at < roots.Count; at++)
            {
                Root root = roots[at];
                answer.Raw(at == 0 ? "{\"name\":" : ",{\"name\":").Text(RequestHandler.Cut(root.Name, 1000));
                answer.Raw(",\"origin\":").Text(RequestHandler.Cut(root.Origin, 2000));
                answer.Raw(",\"label\":").Text(RequestHandler.Cut(root.Label, 1000)).Raw('}');
            }
            answer.Raw(']');
        }

        bool AreSame(IList<Root> now)
        {
            if (now.Count != roots.Count) return false;
            for (int at = 0; at < now.Count; at++)
                if (now[at].Name != roots[at].Name || now[at].Origin != roots[at].Origin || now[at].Label != roots[at].Label)
                    return false;
            return true;
        }
    }
}
