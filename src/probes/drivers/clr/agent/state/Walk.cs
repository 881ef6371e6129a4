using System;
using System.Collections.Generic;
using Substrate.Budget;
using Substrate.Read;

namespace Substrate.State
{
    // Goes breadth first through all that the roots hold. Deterministic while nothing changes; keeps nothing
    // afterwards. Where the cap does not allow for everything, each root and each collection has a share of it.
    sealed class Walk
    {
        // A collection with more elements has a share of its own.
        const int SmallCollection = 16;
        const int MaxRounds = 16;
        const int LeastObjects = 1000;
        readonly Shapes shapes;
        readonly ObjectReader reader;
        readonly WalkEntries entries = Spare<WalkEntries>.Take() ?? new WalkEntries();
        readonly SeenObjects seen = Spare<SeenObjects>.Take() ?? new SeenObjects();
        readonly LeafBudget shares = new LeafBudget();
        readonly ReferenceOnlyCheck glance;
        readonly Pace pace;
        TypesByShape holders;
        int cap;
        int head;
        long leftOut;
        DeferredEntries aside = new DeferredEntries();
        // The one that is being read, while the other is filled: both are used again.
        DeferredEntries again = new DeferredEntries();
        // The cap was too small, and may be so still.
        bool isShared;
        // Something exceeded the cap or its share of it.
        internal bool IsExceeded { get; private set; }
        // What was put aside is being read.
        bool isAgain;

        internal Walk(Shapes shapes, ObjectReader reader, Pace pace)
        {
            this.pace = pace;
            this.shapes = shapes;
            this.reader = reader;
            Child = new Child(shapes, entries, seen, pace);
            glance = new ReferenceOnlyCheck(shapes, reader, seen);
        }

        // Of the leaf that is being put.
        internal Child Child { get; private set; }

        // So much the last walk found that was not for nothing.
        internal int Known { get; set; }

        // Leaves that were seen but not read; at least so many.
        internal int LeftOut
        {
            get { return (int)Math.Min(int.MaxValue, leftOut); }
        }

        // One value. What leads to one of the `known` roots only names it: else it would bring half of the state.
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

        // `first`: roots that are there from the start. `later`: roots that are known; what they share with the first
        // is shown there. Of the candidates those become roots, in the book too, that nothing shows: neither the roots
        // nor a candidate before. False: must be run again, because the cap has to be shared from here on, or because
        // the shares would have been others with the new roots. Where the time is over it stands as it is.
        internal bool Run(IList<RootCandidate> first, IList<RootCandidate> later, IList<RootCandidate> candidates, RootRegistry book, int limit,
            ILeaves into,
            TypesByShape noted)
        {
            Begin(limit, into, noted);
            try
            {
                ReadRoots(first, later);
                ReadAside();
                bool mustShare = IsExceeded && !isShared;
                bool keepsSome = false;
                // What was not come to may show a candidate.
                if (!mustShare)
                    foreach (RootCandidate candidate in candidates) keepsSome |= !pace.IsOver && Adopt(candidate, book);
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

        // There will be no other.
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

        bool Adopt(RootCandidate candidate, RootRegistry book)
        {
            object target = candidate.Target;
            if (target == null || seen.Find(target) >= 0) return false;
            book.Keep(candidate);
            AddRoot(candidate, cap);
            ReadAll();
            ReadAside();
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
            for (; head < entries.Count; head++) aside.Add(head, 0);
            for (int at = 0; at < aside.Count; at++)
            {
                int entry = aside.Entries[at];
                int children = Estimates.Of(entries.Targets[entry], entries.Shapes[entry]);
                leftOut += Math.Max(1, children - aside.Positions[at]);
            }
        }

        void Clear()
        {
            aside.Count = 0;
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

        void ReadAside()
        {
            for (int round = 0; isShared && round < MaxRounds && aside.Count > 0 && Child.Used < cap; round++)
            {
                if (pace.IsOver) return;
                shares.GrowAll();
                DeferredEntries filled = aside;
                aside = again;
                again = filled;
                aside.Count = 0;
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
                // Static fields that lead only to what is shown elsewhere are no place of their own.
                if (target is Type && glance.SeesOnlyReferences(target, shape)) return;
                // Methods of a struct would be called on a copy.
                if (holders != null && shape.IsOfApp && !shape.IsBox) holders.Note(entries, entry);
                if (isShared && entries.Parents[entry] >= 0 && Estimates.Of(target, shape) > SmallCollection)
                    entries.Shares[entry] = shares.OpenBelow(entries.Shares[entry]);
            }
            int share = entries.Shares[entry];
            int granted = cap - Child.Used;
            if (isShared) granted = Math.Min(granted, shares.Left(share));
            // Objects that have no leaves take room as well; of a share they take a part.
            bool isCrowded = !isShared && entries.Count > LeastObjects + 2L * cap;
            if (granted <= 0 || isCrowded || pace.IsOver)
            {
                PutAside(entry, from);
                return;
            }
            Child.Of(entry, granted);
            int refusedAt = reader.Read(target, shape, entries.Hashes[entry], from, Child);
            leftOut += reader.LeftOut;
            if (isShared) shares.Use(share, granted - Child.Allowance);
            if (refusedAt != ObjectReader.Done) PutAside(entry, refusedAt);
        }

        void PutAside(int entry, int position)
        {
            aside.Add(entry, position);
            IsExceeded |= !pace.IsOver;
        }
    }

    // Entries of a walk that exceeded their share, and how far they were read.
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
