using System;
using System.Collections.Generic;
using System.Diagnostics;
using Substrate.Budget;
using Substrate.Health;
using Substrate.Json;
using Substrate.Meta;
using Substrate.Read;

namespace Substrate.State
{
    // Finds the app's state and reports it: everything, or the changes since the last report.
    sealed class StateReader : IShown
    {
        // A report has to fit into a message, with roots and actions: see Protocol.
        const int MaxBytes = 112 * 1024 * 1024;
        // A search for roots may take one part in this many of the time.
        const int PartOfTime = 20;
        const int MaxPauseSeconds = 1;
        const int MaxNames = 1000;
        // Fractions of the search's time: for roots, for leaves; the windows come before, the actions after.
        const double ForPlaces = 0.5;
        const double ForLeaves = 0.8;
        readonly object gate = new object();
        readonly IList<IFinder> finders;
        readonly Shapes shapes = Spare<Shapes>.Take() ?? new Shapes();
        readonly MemberOrder order = new MemberOrder();
        readonly ObjectReader reader;
        readonly Walk walk;
        readonly RootRegistry registry = new RootRegistry();
        readonly LeafTable table = new LeafTable();
        readonly TypesByShape holders = new TypesByShape();
        readonly HeapGuard heap;
        readonly Pace pace;
        readonly int maxKeys;
        // The part of `maxKeys` for keys of windows.
        int reservedKeys;
        // Ids of roots by the names that the daemon gave them.
        readonly Dictionary<string, string> ids = new Dictionary<string, string>();
        readonly Stopwatch clock = Stopwatch.StartNew();
        Loaded loaded;
        long nextSearch;
        bool hasSearched;
        bool mustBeFull = true;
        bool isClosed;

        internal StateReader(int maxKeys, IList<IFinder> finders, Pace pace, double memoryBytes)
        {
            this.pace = pace;
            this.maxKeys = maxKeys;
            this.finders = finders;
            reader = new ObjectReader(shapes, order);
            walk = new Walk(shapes, reader, pace);
            heap = new HeapGuard(maxKeys, memoryBytes);
        }

        internal CaptureReport Capture(bool full, bool deep)
        {
            Rules.Require();
            lock (gate)
            {
                try
                {
                    return CaptureOnce(full, deep);
                }
                catch (OutOfMemoryException)
                {
                    // The next capture will be smaller. It is not repeated now: the app needs the remaining memory.
                    table.Forget();
                    heap.Shrink();
                    mustBeFull = true;
                    throw;
                }
                catch (Exception)
                {
                    mustBeFull = true;
                    throw;
                }
            }
        }

        // Drops all objects of the app. A call that returns later must not use buffers that another reader has by then.
        internal void Close()
        {
            lock (gate)
            {
                isClosed = true;
                table.Close();
                walk.Close();
                Spare<Shapes>.Give(shapes);
            }
        }

        // The number of keys that the daemon keeps for windows.
        internal void Reserve(int keys)
        {
            lock (gate) reservedKeys = keys;
        }

        // The names of roots in the request's paths.
        internal void Name(Dictionary<string, object> roots)
        {
            lock (gate)
            {
                if (ids.Count > MaxNames) ids.Clear();
                foreach (KeyValuePair<string, object> root in roots) ids[root.Key] = root.Value.ToString();
            }
        }

        CaptureReport CaptureOnce(bool wanted, bool deep)
        {
            bool full = wanted || mustBeFull || table.IsSparse;
            int cap = Math.Min(heap.Cap(full), Math.Max(1, maxKeys - reservedKeys));
            pace.Next(ForPlaces);
            List<RootCandidate> candidates = Search(wanted || deep);
            pace.Next(ForLeaves);
            JsonWriter leaves = WalkOnce(full, cap, candidates, false);
            if (leaves == null && walk.IsExceeded) cap = heap.Tighten();
            leaves = leaves ?? WalkOnce(true, cap, candidates, false)
                ?? WalkOnce(true, cap, new List<RootCandidate>(), true);
            walk.Known = walk.Child.Used;
            order.NextWalk();
            if (leaves.Length > MaxBytes)
            {
                heap.Shrink();
                throw new InvalidOperationException(
                    "its state is too large for one report; the next one will be smaller");
            }
            int seen = (int)Math.Min(int.MaxValue, (long)walk.Child.Count + walk.LeftOut);
            double coverage = seen == 0 ? 1 : (double)walk.Child.Count / seen;
            bool isFull = walk.IsExceeded && heap.IsWhy(walk.Child.Count, walk.Child.Used);
            return new CaptureReport(leaves, AllRoots(), seen, coverage, isFull, walk.Child.MeetsProxy);
        }

        // Null, unless `isLast`, if the walk has to be repeated: otherwise the next capture would report changes that
        // are none.
        JsonWriter WalkOnce(bool full, int cap, List<RootCandidate> candidates, bool isLast)
        {
            holders.BeginWalk();
            mustBeFull = true;
            walk.Child.Weigh(heap.CharactersPerLeaf);
            var report = new LeafReport(table, walk.Child, full);
            bool isSettled = walk.Run(registry.First, registry.Later, candidates, registry, cap, report, holders);
            if (!isSettled && !isLast)
            {
                report.Drop();
                return null;
            }
            JsonWriter leaves = report.Finish();
            holders.EndWalk();
            mustBeFull = false;
            return leaves;
        }

        // Updates the registry if a search is due; returns candidates for further roots.
        List<RootCandidate> Search(bool fresh)
        {
            long start = clock.ElapsedTicks;
            if (!fresh && start < nextSearch && !registry.IsSomeGone()) return new List<RootCandidate>();
            Loaded now = Loaded.Refresh(AppDomain.CurrentDomain.GetAssemblies());
            if (now != loaded) shapes.Refresh();
            loaded = now;
            var standing = new List<RootCandidate>();
            var held = new List<RootCandidate>();
            foreach (IFinder finder in finders)
            {
                try
                {
                    foreach (RootCandidate found in finder.Find(fresh))
                        if (found.Target != null) (found.Stands ? standing : held).Add(found);
                }
                catch (Exception discarded)
                {
                    // The roots of this finder are missing in this capture.
                    Discarded.Count("StateReader.Search", discarded);
                }
            }
            long pause = Math.Min((clock.ElapsedTicks - start) * PartOfTime, MaxPauseSeconds * Stopwatch.Frequency);
            // The first search is slow, because its code is cold: its time does not count for later ones.
            nextSearch = hasSearched ? start + pause : 0;
            hasSearched = true;
            return registry.Take(standing, held);
        }

        List<RootCandidate> AllRoots()
        {
            var roots = new List<RootCandidate>(registry.First);
            roots.AddRange(registry.Later);
            return roots;
        }

        public int HoldersVersion
        {
            get { lock (gate) return holders.Version; }
        }

        public IList<Holder> Holders
        {
            get { lock (gate) return holders.List(); }
        }

        public object Find(string path)
        {
            List<object> segments = path == null ? null : Paths.Parse(path);
            if (segments == null) return null;
            lock (gate)
            {
                string id;
                if (isClosed || !ids.TryGetValue(segments[0] as string ?? "", out id)) return null;
                try
                {
                    foreach (RootCandidate root in AllRoots())
                        if (root.Id == id) return new PathFinder(shapes, reader).Find(root, segments);
                    return null;
                }
                finally
                {
                    shapes.ForgetRecent();
                }
            }
        }

        public object Flatten(object value, int maxLeaves)
        {
            lock (gate)
            {
                if (isClosed) return null;
                return Flattening.Flatten(value, AllRoots(), maxLeaves, shapes);
            }
        }

        public bool IsOfApp(Type type)
        {
            return Ownership.IsOfApp(type);
        }
    }

    // The result of one walk.
    sealed class CaptureReport
    {
        // The leaf update as JSON: {"kind":"full","paths":[…],"values":[…]} and so on.
        internal readonly JsonWriter Leaves;
        // Roots in the order in which they are read.
        internal readonly IList<RootCandidate> Roots;
        // The number of leaves before any cap.
        internal readonly int RawCount;
        // The read share of the leaves seen: 1 unless a cap was hit.
        internal readonly double Coverage;
        // True if more would have taken too much memory.
        internal readonly bool IsFull;
        // Some of the program's objects are in another application domain.
        internal readonly bool IsElsewhere;

        internal CaptureReport(JsonWriter leaves, IList<RootCandidate> roots, int rawCount, double coverage,
            bool isFull, bool isElsewhere)
        {
            IsElsewhere = isElsewhere;
            Leaves = leaves;
            Roots = roots;
            RawCount = rawCount;
            Coverage = coverage;
            IsFull = isFull;
        }
    }

    // Finds roots: objects, and types with static fields. One per way of holding them.
    interface IFinder
    {
        // The current roots of this finder only. It must not run code of the app (no type initialiser, no getter, no
        // enumerator), must not throw, and may be called at every capture: costly searches run only when something was
        // loaded since (`fresh`: search in any case).
        IEnumerable<RootCandidate> Find(bool fresh);
    }
}
