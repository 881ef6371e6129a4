using Substrate.Budget;
using Substrate.Read;

namespace Substrate.State
{
    // The child that a walk reads now: its place, and whether it becomes a leaf or another object to visit.
    sealed class Child : Sink
    {
        // The clock is read once for this many children: a power of two.
        const int Often = 32;
        internal const string TooDeep = "[deeper levels are not read]";
        readonly Shapes shapes;
        readonly WalkEntries entries;
        readonly SeenObjects seen;
        readonly Pace pace;
        ILeaves leaves;
        int charactersPerLeaf = int.MaxValue;
        long parentHash;
        int parentLength;
        int segment;
        string name;
        long nameHash;
        int reference;
        int steps;
        // Entries of dictionaries whose keys are deferred; null if none are.
        DeferredEntries keys;
        int known;
        bool isNew;

        internal Child(Shapes shapes, WalkEntries entries, SeenObjects seen, Pace pace)
        {
            this.pace = pace;
            this.shapes = shapes;
            this.entries = entries;
            this.seen = seen;
        }

        // The number of leaves since Start.
        internal int Count { get; private set; }
        // The weight of these leaves.
        internal int Used { get; private set; }
        internal int Parent { get; private set; }
        // The number of further leaves and objects that the parent may have.
        internal int Allowance { get; private set; }
        // The program holds objects of its own that are in another application domain.
        internal bool MeetsProxy { get; private set; }

        // `usedBefore`: the size of the last walk, which is read in any case.
        internal void Start(ILeaves into, int usedBefore)
        {
            leaves = into;
            known = usedBefore;
            isNew = false;
            MeetsProxy = false;
            Count = 0;
            Used = 0;
        }

        // A leaf whose path and text have more characters counts as several, here and in the allowance.
        internal void Weigh(int characters)
        {
            charactersPerLeaf = characters;
        }

        // From now on keys of dictionaries that are objects are deferred: usually they are shown elsewhere.
        internal void DeferKeys(DeferredEntries entries)
        {
            keys = entries;
        }

        internal void End()
        {
            keys = null;
            leaves = null;
            name = null;
        }

        internal void Of(int entry, int granted)
        {
            Parent = entry;
            parentHash = entries.Hashes[entry];
            parentLength = entries.Lengths[entry];
            Allowance = granted;
        }

        // The path of the current leaf is this one and its own segment.
        internal void ParentPath(PathText path)
        {
            entries.Path(path, Parent);
        }

        internal void Segment(PathText path)
        {
            WalkEntries.Segment(path, segment, name);
        }

        // The path of the current reference.
        internal string ReferencePath()
        {
            var path = new PathText();
            entries.Path(path, reference);
            return path.ToString();
        }

        internal override void Name(string text, long hash)
        {
            segment = WalkEntries.Name;
            name = text;
            nameHash = hash;
        }

        internal override void Index(int index)
        {
            segment = index;
            name = null;
        }

        internal override void Key(string key)
        {
            segment = WalkEntries.Key;
            name = key;
            nameHash = Hash.Of(key);
        }

        long HashHere()
        {
            return Hash.Join(parentHash, segment >= 0 ? Hash.Of(segment) : nameHash);
        }

        internal override bool Value(object value)
        {
            if (value == null) return Scalar(LeafKind.Null, 0, 0, null);
            var text = value as string;
            if (text != null) return Pushes.Text(text, this);
            object target = value;
            Shape shape = shapes.Of(target.GetType());
            for (int hops = 0; shape.Kind == Shape.Wrapper; hops++)
            {
                target = hops < Rules.MaxWrappers ? shape.Unwrap(target) : null;
                if (target == null) return Scalar(LeafKind.Null, 0, 0, null);
                shape = shapes.Of(target.GetType());
            }
            if (shape.MayBeProxy && Proxies.Is(target))
            {
                MeetsProxy |= shape.IsOfApp;
                return true;
            }
            if (shape.Kind == Shape.Scalar) return shape.Push(target, this);
            return shape.Kind == Shape.Nothing || Object(target, shape);
        }

        bool Object(object target, Shape shape)
        {
            if ((++steps & Often - 1) == 0 && !MayGoOn()) return false;
            if (entries.Depths[Parent] >= Rules.MaxDepth) return Scalar(LeafKind.Text, 0, 0, TooDeep);
            bool isAnywhere = shape.IsBox || shape.IsSharedEmpty && shape.Container.Size(target) == 0;
            int known = isAnywhere ? -1 : seen.Find(target);
            if (known >= 0 && !(shape.IsFlat && entries.Parents[known] >= 0))
            {
                reference = known;
                return Scalar(LeafKind.Reference, entries.Hashes[known], 0, null);
            }
            if (keys != null && !isAnywhere && known < 0 && entries.IsKey(Parent, segment, name))
            {
                keys.Add(Parent, 0);
                return true;
            }
            if (Allowance <= 0) return false;
            if (shape.ShowsNothing && !shape.IsOfApp) return true;
            // An object costs as much as a leaf, even if it has no leaves.
            Allowance--;
            int entry = entries.AddChild(Parent, segment, name, nameHash, HashHere(), target, shape);
            if (known < 0 && !isAnywhere) seen.Add(target, entry);
            return true;
        }

        internal override bool Scalar(byte kind, long bits, long more, object text)
        {
            if (Allowance <= 0 || (++steps & Often - 1) == 0 && !MayGoOn()) return false;
            if (!leaves.Put(HashHere(), kind, bits, more, text)) return true;
            int weight = Weight(kind, text);
            Allowance -= weight;
            Used += weight;
            Count++;
            return true;
        }

        bool MayGoOn()
        {
            if (Used <= known)
            {
                pace.GoAnyway();
                return true;
            }
            if (!isNew) pace.BeginNew();
            isNew = true;
            return pace.Go();
        }

        int Weight(byte kind, object text)
        {
            int characters = parentLength + WalkEntries.Length(segment, name);
            characters += kind == LeafKind.Reference ? entries.Lengths[reference] : Leaf.Length(kind, text);
            return characters <= charactersPerLeaf ? 1 : (characters - 1) / charactersPerLeaf + 1;
        }
    }

    // Takes the leaves of a walk.
    interface ILeaves
    {
        // `kind` determines the words: see LeafKind. The walk's child has the path of the leaf. False if the path
        // exists already.
        bool Put(long hash, byte kind, long bits, long more, object text);
    }
}
