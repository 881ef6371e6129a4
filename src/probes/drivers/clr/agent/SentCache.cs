using System.Collections.Generic;
using Substrate.Act;
using Substrate.Json;
using Substrate.State;

namespace Substrate
{
    // What the daemon was told last, so that roots and actions are told again only when they have changed.
    sealed class SentCache
    {
        // As many as the daemon takes.
        const int MaxActions = 1000;
        const int MaxParameters = 64;
        List<Root> roots;
        List<IList<ActionInfo>> actions;

        internal void Forget()
        {
            roots = null;
            actions = null;
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

        internal void Actions(JsonWriter answer, List<IActionSource> sources)
        {
            var now = new List<IList<ActionInfo>>();
            bool isSame = actions != null;
            foreach (IActionSource source in sources)
            {
                now.Add(source.Actions());
                isSame = isSame && ReferenceEquals(actions[now.Count - 1], now[now.Count - 1]);
            }
            actions = now;
            if (isSame)
            {
                answer.Raw("null");
                return;
            }
            answer.Raw('[');
            int count = 0;
            foreach (IList<ActionInfo> part in now)
                foreach (ActionInfo action in part)
                    if (count < MaxActions && action.Parameters.Count <= MaxParameters) Write(count++ == 0 ? answer : answer.Raw(','), action);
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

        static void Write(JsonWriter answer, ActionInfo action)
        {
            answer.Raw("{\"binding\":").Text(RequestHandler.Cut(action.Binding, 4000)).Raw(",\"name\":").Text(RequestHandler.Cut(action.Name, 2000));
            answer.Raw(",\"parameters\":[");
            for (int at = 0; at < action.Parameters.Count; at++)
            {
                Parameter parameter = action.Parameters[at];
                answer.Raw(at == 0 ? "{\"name\":" : ",{\"name\":").Text(RequestHandler.Cut(parameter.Name, 300));
                answer.Raw(",\"type\":").Text(parameter.Type).Raw(",\"required\":").Flag(parameter.Required);
                answer.Raw(",\"description\":").Text(RequestHandler.Cut(parameter.Description, 1000)).Raw('}');
            }
            answer.Raw("],\"returns\":").Text(action.Returns).Raw(",\"effect\":").Text(action.Effect);
            answer.Raw(",\"description\":").Text(RequestHandler.Cut(action.Description, 2000)).Raw('}');
        }
    }
}
