using System;
using System.Collections.Generic;
using System.Diagnostics;
using Substrate.Budget;
using Substrate.Json;
using Substrate.Meta;
using Substrate.Read;

namespace Substrate.State
{
    // Finds the app's state and reports it: everything, or what changed since the last report.
    sealed class StateReader : IShown
    {
        // A message has to take it, with roots and actions besides: see Protocol.
        const int MaxBytes = 112 * 1024 * 1024;
        // Looking for roots may take this part of the time.
        const int PartOfTime = 20;
        const int MaxPauseSeconds = 1;
        // Of the time of the search: windows, places, leaves; the rest is for actions.
        const double ForWindows = 0.3;
        const double ForPlaces = 0.5;
        const double ForLeaves = 0.8;
        readonly object gate = new object();
        readonly IList<IFinder> finders;
        readonly IList<IRootSource> extra;
        readonly Shapes shapes = Spare<Shapes>.Take() ?? new Shapes();
        readonly MemberOrder order = new MemberOrder();
        readonly ObjectReader reader;
        readonly Walk walk;
        readonly RootRegistry book = new RootRegistry();
        readonly LeafTable table = new LeafTable();
        readonly TypesByShape holders = new TypesByShape();
        readonly HeapGuard heap;
        readonly Pace pace;
        readonly int maxKeys;
        readonly HashSet<string> reservedNames = new HashSet<string>();
        int reservedKeys;
        readonly Stopwatch clock = Stopwatch.StartNew();
        Loaded loaded;
        long nextLook;
        bool hasLooked;
        bool mustBeFull = true;
        bool isClosed;

        internal StateReader(int maxKeys, IList<IFinder> finders, IList<IRootSource> extra, Pace pace,
            double memoryBytes)
        {
            this.pace = pace;
            this.maxKeys = maxKeys;
            this.finders = finders;
            this.extra = extra;
            reader = new ObjectReader(shapes, order);
            walk = new Walk(shapes, reader, pace);
            heap = new HeapGuard(maxKeys, memoryBytes);
        }

        internal CaptureReport Capture(bool full, bool deep)
        {
            lock (gate)
            {
                try
                {
                    return CaptureOnce(full, deep);
                }
                catch (OutOfMemoryException)
                {
                    // The next one will be smaller. Not at once: the app needs what is left now.
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

        // Keeps nothing of the app. A call that comes back later must not use what is another reader's by then.
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

        /// <summary>What the daemon keeps for the windows: names, which no root may have, and a part of the keys.</summary>
        internal void Reserve(IList<object> names, int keys)
        {
            lock (gate)
            {
                reservedNames.Clear();
                if (names != null) foreach (object name in names) reservedNames.Add(name as string);
                reservedKeys = keys;
            }
        }

        CaptureReport CaptureOnce(bool wanted, bool deep)
        {
            bool full = wanted || mustBeFull || table.IsSparse;
            int cap = Math.Min(heap.Cap(full), Math.Max(1, maxKeys - reservedKeys));
            pace.Next(ForWindows);
            List<RootCandidate> made = ExtraRoots(wanted);
            book.Reserve(made, reservedNames);
            pace.Next(ForPlaces);
            List<RootCandidate> candidates = Look(wanted || deep);
            var first = new List<RootCandidate>(made);
            first.AddRange(book.First);
            pace.Next(ForLeaves);
            JsonWriter leaves = WalkOnce(full, cap, first, candidates, false);
            if (leaves == null && walk.IsExceeded) cap = heap.Tighten();
            leaves = leaves ?? WalkOnce(true, cap, first, candidates, false)
                ?? WalkOnce(true, cap, first, new List<RootCandidate>(), true);
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
            return new CaptureReport(leaves, Shown(made), seen, coverage, isFull);
        }

        // Null, unless `isLast`: has to be done again, or the next capture would find changes where there are none.
        JsonWriter WalkOnce(bool full, int cap, List<RootCandidate> first, List<RootCandidate> candidates, bool isLast)
        {
            holders.BeginWalk();
            mustBeFull = true;
            walk.Child.Weigh(heap.CharactersPerLeaf);
            var report = new LeafReport(table, walk.Child, full);
            bool isSettled = walk.Run(first, book.Later, candidates, book, cap, report, holders);
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

        // Brings the book up to date if it is time; what might become a root.
        List<RootCandidate> Look(bool fresh)
        {
            long start = clock.ElapsedTicks;
            if (!fresh && start < nextLook && !book.IsSomeGone()) return new List<RootCandidate>();
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
                catch (Exception)
                {
                    // What this one finds is not there this time.
                }
            }
            long pause = Math.Min((clock.ElapsedTicks - start) * PartOfTime, MaxPauseSeconds * Stopwatch.Frequency);
            // The first look is slow, because its code is new: that says nothing of the others.
            nextLook = hasLooked ? start + pause : 0;
            hasLooked = true;
            return book.Take(standing, held);
        }

        List<RootCandidate> ExtraRoots(bool fresh)
        {
            var roots = new List<RootCandidate>();
            foreach (IRootSource source in extra)
            {
                try
                {
                    foreach (Root root in source.Roots(fresh)) if (root.Value != null) roots.Add(RootCandidate.Made(root));
                }
                catch (Exception)
                {
                    // Its roots are not there this time.
                }
            }
            return roots;
        }

        // Without the objects: a report may be kept.
        List<Root> Shown(List<RootCandidate> made)
        {
            var roots = new List<Root>();
            foreach (List<RootCandidate> part in new[] { made, book.First, book.Later })
                foreach (RootCandidate root in part) roots.Add(new Root(root.Name, root.Origin, root.Label, null));
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
                if (isClosed) return null;
                List<RootCandidate> roots = ExtraRoots(false);
                roots.AddRange(book.First);
                roots.AddRange(book.Later);
                try
                {
                    foreach (RootCandidate root in roots)
                        if (root.Name.Equals(segments[0])) return new PathFinder(shapes, reader).Find(root, segments);
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
                var roots = new List<RootCandidate>(book.First);
                roots.AddRange(book.Later);
                return Flattening.Flatten(value, roots, maxLeaves, shapes);
            }
        }

        public bool IsOfApp(Type type)
        {
            return Ownership.IsOfApp(type);
        }
    }
}
