using System;
using System.Collections.Generic;
using Substrate.Budget;
using Substrate.Read;

namespace Substrate.State
{
    // Visits all objects below the roots, breadth first. Deterministic while nothing changes; keeps nothing afterwards.
    // Where the cap is too small for everything, each root and each collection has a share of it.
    sealed class Walk
    {
        static readonly long keyName = Hash.Of("key");
        readonly Shapes shapes;
        readonly ObjectReader reader;
        readonly WalkEntries entries = Spare<WalkEntries>.Take() ?? new WalkEntries();
        readonly SeenObjects seen = Spare<SeenObjects>.Take() ?? new SeenObjects();
        readonly LeafBudget shares = new LeafBudget();
        readonly ReferenceOnlyCheck referenceCheck;
        readonly Pace pace;
        TypesByShape holders;
        int cap;
        int head;
        long leftOut;
        DeferredEntries deferred = new DeferredEntries();
        // The list that is being read, while the other is filled: both are reused.
        DeferredEntries again = new DeferredEntries();
        // Long static tables of scalars come last, because most never change.
        readonly DeferredEntries tables = new DeferredEntries();
        readonly DeferredEntries keys = new DeferredEntries();
        readonly TableMarks marks;
        // The cap was too small, and may still be.
        bool isShared;
        // A candidate becomes a root although it was shown at a worse place.
        bool isMoved;
        // An entry exceeded the cap or its share.
        internal bool IsExceeded { get; private set; }
        // Tables are not deferred any more.
        bool areTablesRead;

        internal Walk(Shapes shapes, ObjectReader reader, Pace pace)
        {
            this.pace = pace;
            this.shapes = shapes;
            this.reader = reader;
            Child = new Child(shapes, entries, seen, pace);
            referenceCheck = new ReferenceOnlyCheck(shapes, reader, seen);
            marks = new TableMarks(shapes);
        }

        // The child of the current leaf.
        internal Child Child { get; private set; }

        // The size of the last complete walk.
        internal int Known { get; set; }

        // The least number of leaves that were seen but not read.
        internal int LeftOut
        {
            get { return (int)Math.Min(int.MaxValue, leftOut); }
        }

        // Walks one value. A path into one of the `known` roots becomes a reference: otherwise it would bring half of
        // the state.
        internal void Run(RootCandidate value, IList<RootCandidate> known, int limit, ILeaves into)
        {
            Begin(limit, into, null);
            try
            {
                int entry = AddRoot(value, cap);
                foreach (RootCandidate root in known) AddRoot(root, 0);
                head = entries.Count;
                if (entry >= 0) Visit(entry, 0);
                ReadAll();
            }
            finally
            {
                Clear();
            }
        }

        // `first`: roots that are fixed. `later`: roots that are known; an object that both reach is shown below the
        // first. A candidate becomes a root, in the registry too, if nothing shows it: neither the roots nor an earlier
        // candidate. False if the walk must be repeated, because the cap has to be shared from here on, or because the
        // shares would have been others with the new roots. When the time is over the result stays as it is.
        internal bool Run(IList<RootCandidate> first, IList<RootCandidate> later, IList<RootCandidate> candidates, RootRegistry registry, int limit,
            ILeaves into,
            TypesByShape noted)
        {
            Begin(limit, into, noted);
            try
            {
                Child.DeferKeys(keys);
                ReadRoots(first, later);
                ReadDeferred();
                bool mustShare = IsExceeded && !isShared;
                bool keepsSome = false;
                // The unvisited part may show a candidate.
                if (!mustShare)
                    foreach (RootCandidate candidate in candidates) keepsSome |= !pace.IsOver && Adopt(candidate, registry);
                ReadKeys();
                ReadTables();
                CountLeftOut();
                mustShare = IsExceeded && !isShared;
                bool isSettled = pace.IsOver || !mustShare && !(keepsSome && IsExceeded) && !isMoved;
                isShared = mustShare || isShared && leftOut + Child.Used > cap / 2;
                return isSettled;
            }
            finally
            {
                Clear();
            }
        }

        // No other walk follows.
        internal void Close()
        {
            Spare<WalkEntries>.Give(entries);
            Spare<SeenObjects>.Give(seen);
        }

        void Begin(int limit, ILeaves into, TypesByShape noted)
        {
            Child.Start(into, Known);
            holders = noted;
            cap = limit;
            leftOut = 0;
            IsExceeded = false;
            isMoved = false;
        }

        bool Adopt(RootCandidate candidate, RootRegistry registry)
        {
            object target = candidate.Target;
            int known = target == null ? WalkEntries.NoParent : seen.Find(target);
            if (target == null || known >= 0 && !IsOutOfTheWay(known)) return false;
            registry.Keep(candidate);
            if (known >= 0)
            {
                isMoved = true;
                return true;
            }
            AddRoot(candidate, cap);
            ReadAll();
            ReadDeferred();
            return true;
        }

        // True where nobody would expect the object: it is only a key of a dictionary, or belongs to one.
        bool IsOutOfTheWay(int entry)
        {
            for (int at = entry; entries.Parents[at] >= 0; at = entries.Parents[at])
                if (entries.IsKey(entries.Parents[at], entries.Segments[at], entries.Names[at])) return true;
            return false;
        }

        void ReadRoots(IList<RootCandidate> first, IList<RootCandidate> later)
        {
            int share = cap / (2 * Math.Max(1, first.Count + later.Count));
            foreach (RootCandidate root in first) AddRoot(root, share);
            int known = entries.Count;
            var reserved = new int[later.Count];
            for (int at = 0; at < reserved.Length; at++) reserved[at] = AddRoot(later[at], share);
            int afterRoots = entries.Count;
            while (head < known) Visit(head++, 0);
            head = afterRoots;
            ReadAll();
            foreach (int entry in reserved)
            {
                if (entry >= 0) Visit(entry, 0);
                ReadAll();
            }
        }

        // Keys that nothing else has shown are shown here.
        void ReadKeys()
        {
            Child.DeferKeys(null);
            for (int at = 0; at < keys.Count; at++)
            {
                int entry = keys.Entries[at];
                int granted = IsVain ? 0 : cap - Child.Used;
                Child.Of(entry, granted);
                Child.Name("key", keyName);
                bool isTaken = Child.Value(((KeyedEntry)entries.Targets[entry]).Key);
                if (isShared) shares.Use(entries.Shares[entry], granted - Child.Allowance);
                if (isTaken) continue;
                leftOut++;
                IsExceeded |= !pace.IsOver;
            }
            ReadAll();
            ReadDeferred();
        }

        // Tables get the rest of the cap. A table that does not fit is no reason to share.
        void ReadTables()
        {
            bool wasExceeded = IsExceeded;
            areTablesRead = true;
            for (int at = 0; at < tables.Count; at++)
            {
                int entry = tables.Entries[at];
                object target = entries.Targets[entry];
                Shape shape = entries.Shapes[entry];
                if (marks.IsUnchanged(entries.Hashes[entry], target, shape)) CountOnly(entry, target, shape);
                else Visit(entry, 0);
            }
            ReadAll();
            IsExceeded = wasExceeded;
        }

        void CountOnly(int entry, object target, Shape shape)
        {
            Child.Of(entry, Math.Min(1, cap - Child.Used));
            reader.Read(target, shape, entries.Hashes[entry], 0, Child);
            leftOut++;
        }

        bool IsTable(int entry, object target, Shape shape)
        {
            int parent = entries.Parents[entry];
            return parent >= 0 && entries.Targets[parent] is Type && IsLarge(target, shape)
                && shapes.HoldsOnlyValues(target, shape);
        }

        void OpenShare(int entry, object target, Shape shape)
        {
            int share = entries.Shares[entry];
            if (IsLarge(target, shape)) entries.Shares[entry] = shares.OpenCollection(share);
            else if (entries.Depths[entry] <= Rules.NearDepth) entries.Shares[entry] = shares.OpenPart(share);
        }

        static bool IsLarge(object target, Shape shape)
        {
            return shape.HasElements && Estimates.Of(target, shape) > Rules.SmallCollection;
        }

        void CountLeftOut()
        {
            for (; head < entries.Count; head++) if (!entries.IsVisited[head]) deferred.Add(head, 0);
            for (int at = 0; at < deferred.Count; at++)
            {
                int entry = deferred.Entries[at];
                int children = Estimates.Of(entries.Targets[entry], entries.Shapes[entry]);
                leftOut += Math.Max(1, children - deferred.Positions[at]);
            }
        }

        void Clear()
        {
            deferred.Count = 0;
            tables.Count = 0;
            keys.Count = 0;
            head = 0;
            areTablesRead = false;
            entries.Clear();
            seen.Clear();
            shares.Clear();
            shapes.ForgetRecent();
            Child.End();
            holders = null;
        }

        int AddRoot(RootCandidate root, int share)
        {
            object target = root.Target;
            if (target == null || seen.Find(target) >= 0) return -1;
            Shape shape = root.IsStatic ? shapes.OfStatics((Type)target) : shapes.Of(target.GetType());
            if (shape.Kind == Shape.Wrapper)
            {
                target = shape.Unwrap(target);
                if (target == null || seen.Find(target) >= 0) return -1;
                shape = shapes.Of(target.GetType());
            }
            if (shape.Kind != Shape.Parts || shape.MayBeProxy && Proxies.Is(target)) return -1;
            int entry = entries.AddRoot(root.Id, target, shape, shares.Open(share));
            seen.Add(target, entry);
            return entry;
        }

        void ReadAll()
        {
            while (head < entries.Count)
            {
                int entry = head++;
                if (!entries.IsVisited[entry]) Visit(entry, 0);
            }
        }

        // The walk has to be repeated, or there is no time: the rest is only counted.
        bool IsVain
        {
            get { return IsExceeded && !isShared || pace.IsOver; }
        }

        void ReadDeferred()
        {
            for (int round = 0; isShared && round < Rules.MaxRounds && deferred.Count > 0 && Child.Used < cap; round++)
            {
                if (pace.IsOver) return;
                shares.GrowAll();
                DeferredEntries filled = deferred;
                deferred = again;
                again = filled;
                deferred.Count = 0;
                // A list that continues would take everything for its further elements, and none of them would be read.
                for (int at = 0; at < again.Count; at++) if (again.Positions[at] == 0) Visit(again.Entries[at], 0);
                for (int at = 0; at < again.Count; at++)
                    if (again.Positions[at] > 0) Visit(again.Entries[at], again.Positions[at]);
                ReadAll();
            }
        }

        void Visit(int entry, int from)
        {
            if (IsVain)
            {
                Defer(entry, from);
                return;
            }
            object target = entries.Targets[entry];
            Shape shape = entries.Shapes[entry];
            if (!entries.IsVisited[entry])
            {
                entries.IsVisited[entry] = true;
                if (!areTablesRead && IsTable(entry, target, shape))
                {
                    tables.Add(entry, 0);
                    return;
                }
                // Static fields that hold only references to shown objects are no root.
                if (target is Type && referenceCheck.SeesOnlyReferences(target, shape)) return;
                // Methods of a struct would be called on a copy.
                if (holders != null && shape.IsOfApp && !shape.IsBox) holders.Note(entries, entry);
                if (isShared && entries.Parents[entry] >= 0) OpenShare(entry, target, shape);
            }
            int share = entries.Shares[entry];
            int granted = cap - Child.Used;
            if (isShared) granted = Math.Min(granted, shares.Left(share));
            // Objects without leaves take room as well; of a share they take a part.
            bool isCrowded = !isShared && entries.Count > Rules.LeastObjects + 2L * cap;
            if (granted <= 0 || isCrowded)
            {
                Defer(entry, from);
                return;
            }
            Child.Of(entry, granted);
            int before = entries.Count;
            int refusedAt = reader.Read(target, shape, entries.Hashes[entry], from, Child);
            leftOut += reader.LeftOut;
            if (isShared) shares.Use(share, granted - Child.Allowance);
            if (refusedAt != ObjectReader.Done) Defer(entry, refusedAt);
            // In a large program the elements of a small collection are as near as the collection.
            else if (isShared && shape.HasElements) VisitElements(before);
        }

        void VisitElements(int first)
        {
            int end = entries.Count;
            if (end - first > Rules.SmallCollection) return;
            for (int entry = first; entry < end; entry++) Visit(entry, 0);
        }

        void Defer(int entry, int position)
        {
            deferred.Add(entry, position);
            IsExceeded |= !pace.IsOver;
        }
    }

    // Entries of a walk that exceeded their share, and the position up to which each was read.
    sealed class DeferredEntries
    {
        internal int[] Entries = new int[16];
        internal int[] Positions = new int[16];
        internal int Count;

        internal void Add(int entry, int position)
        {
            if (Count == Entries.Length)
            {
                Array.Resize(ref Entries, Count * 2);
                Array.Resize(ref Positions, Count * 2);
            }
            Entries[Count] = entry;
            Positions[Count++] = position;
        }
    }
}
