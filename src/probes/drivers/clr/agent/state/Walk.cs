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
        // A larger collection has a share of its own.
        const int SmallCollection = 16;
        const int MaxRounds = 16;
        const int LeastObjects = 1000;
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
        // The cap was too small, and may still be.
        bool isShared;
        // An entry exceeded the cap or its share.
        internal bool IsExceeded { get; private set; }
        // True while deferred entries are read.
        bool isAgain;

        internal Walk(Shapes shapes, ObjectReader reader, Pace pace)
        {
            this.pace = pace;
            this.shapes = shapes;
            this.reader = reader;
            Child = new Child(shapes, entries, seen, pace);
            referenceCheck = new ReferenceOnlyCheck(shapes, reader, seen);
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
                ReadRoots(first, later);
                ReadDeferred();
                bool mustShare = IsExceeded && !isShared;
                bool keepsSome = false;
                // The unvisited part may show a candidate.
                if (!mustShare)
                    foreach (RootCandidate candidate in candidates) keepsSome |= !pace.IsOver && Adopt(candidate, registry);
                CountLeftOut();
                mustShare = IsExceeded && !isShared;
                bool isSettled = pace.IsOver || !mustShare && !(keepsSome && IsExceeded);
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
        }

        bool Adopt(RootCandidate candidate, RootRegistry registry)
        {
            object target = candidate.Target;
            if (target == null || seen.Find(target) >= 0) return false;
            registry.Keep(candidate);
            AddRoot(candidate, cap);
            ReadAll();
            ReadDeferred();
            return true;
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

        void CountLeftOut()
        {
            for (; head < entries.Count; head++) deferred.Add(head, 0);
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
            head = 0;
            isAgain = false;
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
            while (head < entries.Count) Visit(head++, 0);
        }

        void ReadDeferred()
        {
            for (int round = 0; isShared && round < MaxRounds && deferred.Count > 0 && Child.Used < cap; round++)
            {
                if (pace.IsOver) return;
                shares.GrowAll();
                DeferredEntries filled = deferred;
                deferred = again;
                again = filled;
                deferred.Count = 0;
                isAgain = true;
                for (int at = 0; at < again.Count; at++) Visit(again.Entries[at], again.Positions[at]);
                isAgain = false;
                ReadAll();
            }
        }

        void Visit(int entry, int from)
        {
            object target = entries.Targets[entry];
            Shape shape = entries.Shapes[entry];
            if (from == 0 && !isAgain)
            {
                // Static fields that hold only references to shown objects are no root.
                if (target is Type && referenceCheck.SeesOnlyReferences(target, shape)) return;
                // Methods of a struct would be called on a copy.
                if (holders != null && shape.IsOfApp && !shape.IsBox) holders.Note(entries, entry);
                if (isShared && entries.Parents[entry] >= 0 && Estimates.Of(target, shape) > SmallCollection)
                    entries.Shares[entry] = shares.OpenBelow(entries.Shares[entry]);
            }
            int share = entries.Shares[entry];
            int granted = cap - Child.Used;
            if (isShared) granted = Math.Min(granted, shares.Left(share));
            // Objects without leaves take room as well; of a share they take a part.
            bool isCrowded = !isShared && entries.Count > LeastObjects + 2L * cap;
            if (granted <= 0 || isCrowded || pace.IsOver)
            {
                Defer(entry, from);
                return;
            }
            Child.Of(entry, granted);
            int refusedAt = reader.Read(target, shape, entries.Hashes[entry], from, Child);
            leftOut += reader.LeftOut;
            if (isShared) shares.Use(share, granted - Child.Allowance);
            if (refusedAt != ObjectReader.Done) Defer(entry, refusedAt);
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
