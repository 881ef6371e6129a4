using System.Collections.Generic;
using System.Text;
using Substrate.Json;

namespace Substrate.Forms
{
    // The last report of the widgets. Each widget that differs is sent again as a whole.
    sealed class ScreenReport
    {
        // Limit for one report; the rest comes with the next one.
        const int MaxCharacters = 8 * 1024 * 1024;
        const int MaxWidgets = 5000;
        const ulong HashStart = 14695981039346656037;
        const ulong HashFactor = 1099511628211;
        // A hash of the last report of each widget.
        Dictionary<int, ulong> sent = new Dictionary<int, ulong>();
        List<int> windows = new List<int>();
        // Set while a report is written.
        Dictionary<int, ulong> now;
        readonly StringBuilder changed = new StringBuilder();

        // `all`: the daemon has nothing yet. Writes null where nothing is new.
        internal void Write(JsonWriter answer, List<Widget> showing, bool all)
        {
            if (all) sent.Clear();
            now = new Dictionary<int, ulong>();
            changed.Length = 0;
            foreach (Widget window in showing) Add(window);
            var removed = new List<int>();
            foreach (int id in sent.Keys)
                if (!now.ContainsKey(id)) removed.Add(id);
            List<int> ids = showing.ConvertAll(window => window.Memory.Id);
            bool isSame = !all && changed.Length == 0 && removed.Count == 0 && AreSame(ids, windows);
            sent = now;
            windows = ids;
            if (isSame)
            {
                answer.Raw("null");
                return;
            }
            answer.Raw("{\"toolkit\":\"forms\",\"full\":").Flag(all).Raw(",\"windows\":").Value(ids);
            answer.Raw(",\"widgets\":[").Raw(changed.ToString()).Raw("],\"removed\":").Value(removed).Raw('}');
        }

        void Add(Widget widget)
        {
            if (now.Count == MaxWidgets) return;
            int id = widget.Memory.Id;
            string json = widget.Json();
            ulong hash = HashStart;
            foreach (char character in json) hash = unchecked((hash ^ character) * HashFactor);
            ulong known;
            bool isNew = !sent.TryGetValue(id, out known) || known != hash;
            bool fits = changed.Length == 0 || changed.Length + json.Length <= MaxCharacters;
            if (isNew && fits) changed.Append(changed.Length == 0 ? "" : ",").Append(json);
            if (fits || !isNew) now[id] = hash;
            else if (sent.ContainsKey(id)) now[id] = known;
            foreach (Widget child in widget.Children) Add(child);
        }

        static bool AreSame(List<int> one, List<int> other)
        {
            if (one.Count != other.Count) return false;
            for (int at = 0; at < one.Count; at++)
                if (one[at] != other[at]) return false;
            return true;
        }
    }
}
