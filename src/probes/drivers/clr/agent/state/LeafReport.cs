using Substrate.Json;
using Substrate.Read;

namespace Substrate.State
{
    // Writes the result of a walk as a leaf update: everything, or the differences from the last one.
    sealed class LeafReport : ILeaves
    {
        readonly LeafTable table;
        readonly Child child;
        readonly bool isFull;
        readonly PathText path = new PathText();
        readonly JsonWriter paths;
        readonly JsonWriter values;
        JsonWriter changed;
        JsonWriter added;
        int pathOf = -1;
        int parentLength;

        internal LeafReport(LeafTable table, Child child, bool isFull)
        {
            this.table = table;
            this.child = child;
            this.isFull = isFull;
            table.Begin(isFull);
            if (!isFull) return;
            paths = new JsonWriter().Raw("{\"kind\":\"full\",\"paths\":[");
            values = new JsonWriter().Raw("],\"values\":[");
        }

        public bool Put(long hash, byte kind, long bits, long more, object text)
        {
            int slot = table.Put(hash, kind, bits, more, kind == LeafKind.Text || kind == LeafKind.Named ? text : null);
            if (slot == LeafTable.Double) return false;
            if (slot == LeafTable.Same) return true;
            object shown = kind == LeafKind.Reference ? child.ReferencePath() : text;
            if (isFull)
            {
                if (slot > 0)
                {
                    paths.Raw(',');
                    values.Raw(',');
                }
                WritePath(paths);
                Leaf.Write(values, kind, bits, more, shown);
            }
            else if (table.WasAdded)
            {
                JsonWriter json = Next(ref added, slot);
                WritePath(json);
                Leaf.Write(json.Raw(','), kind, bits, more, shown);
                json.Raw(']');
            }
            else
            {
                JsonWriter json = Next(ref changed, slot);
                Leaf.Write(json, kind, bits, more, shown);
                json.Raw(']');
            }
            return true;
        }

        static JsonWriter Next(ref JsonWriter json, int slot)
        {
            if (json == null) json = new JsonWriter().Raw('[');
            else json.Raw(",[");
            return json.Whole(slot).Raw(',');
        }

        // Leaves of one object come one after the other: the path of the object is made once.
        void WritePath(JsonWriter json)
        {
            if (pathOf != child.Parent)
            {
                pathOf = child.Parent;
                path.Length = 0;
                child.ParentPath(path);
                parentLength = path.Length;
            }
            path.Length = parentLength;
            child.Segment(path);
            json.Text(path.Characters, path.Length);
        }

        // The report is not sent: its pieces are reused.
        internal void Drop()
        {
            foreach (JsonWriter json in new[] { paths, values, changed, added }) if (json != null) json.Release();
        }

        internal JsonWriter Finish()
        {
            int[] removed = table.Finish();
            if (isFull) return paths.Raw(values).Raw("]}");
            if (changed == null && added == null && removed.Length == 0)
                return new JsonWriter().Raw("{\"kind\":\"same\"}");
            JsonWriter json = new JsonWriter().Raw("{\"kind\":\"delta\",\"changed\":[");
            if (changed != null) json.Raw(changed);
            json.Raw("],\"added\":[");
            if (added != null) json.Raw(added);
            json.Raw("],\"removed\":[");
            for (int at = 0; at < removed.Length; at++) (at == 0 ? json : json.Raw(',')).Whole(removed[at]);
            return json.Raw("]}");
        }
    }
}
