using System;
using Substrate.Read;

namespace Substrate.State
{
    // The objects that a walk has met, in this order, each with its parent and the last segment of its path.
    sealed class WalkEntries
    {
        internal const int NoParent = -1;
        // Segments: a field's name, the key of a dictionary, or an index from 0 on.
        internal const int Name = -1;
        internal const int Key = -2;
        const int Small = 256;
        const int IndexLength = 5;
        static readonly long anyIndex = Hash.Of("[*]");
        static readonly long anyKey = Hash.Of("{*}");

        internal int Count;
        internal object[] Targets = new object[Small];
        internal Shape[] Shapes = new Shape[Small];
        internal int[] Parents = new int[Small];
        internal string[] Names = new string[Small];
        internal int[] Segments = new int[Small];
        internal long[] Hashes = new long[Small];
        // Hashes of the paths with `[*]` for each index and `{*}` for each key.
        internal long[] ShapeHashes = new long[Small];
        // The approximate number of characters of each path.
        internal int[] Lengths = new int[Small];
        internal byte[] Depths = new byte[Small];
        internal int[] Shares = new int[Small];
        internal bool[] IsVisited = new bool[Small];

        internal int AddRoot(string id, object target, Shape shape, int share)
        {
            long hash = Hash.Join(Hash.Start, Hash.Of(id));
            int entry = Add(NoParent, Name, id, hash, target, shape, share);
            ShapeHashes[entry] = hash;
            return entry;
        }

        internal int AddChild(int parent, int segment, string name, long nameHash, long hash, object target,
            Shape shape)
        {
            int entry = Add(parent, segment, name, hash, target, shape, Shares[parent]);
            long part = segment == Name ? nameHash : segment == Key ? anyKey : anyIndex;
            ShapeHashes[entry] = Hash.Join(ShapeHashes[parent], part);
            return entry;
        }

        int Add(int parent, int segment, string name, long hash, object target, Shape shape, int share)
        {
            if (Count == Targets.Length) Resize(Count * 2);
            int entry = Count++;
            Parents[entry] = parent;
            Segments[entry] = segment;
            Names[entry] = name;
            Hashes[entry] = hash;
            Targets[entry] = target;
            Shapes[entry] = shape;
            Depths[entry] = (byte)(parent < 0 ? 1 : Depths[parent] + 1);
            Shares[entry] = share;
            IsVisited[entry] = false;
            Lengths[entry] = (parent < 0 ? 0 : Lengths[parent]) + Length(segment, name);
            return entry;
        }

        // Drops all objects of the app, and the memory that such a state does not need.
        internal void Clear()
        {
            if (Targets.Length > Small && Count * 8 < Targets.Length) Resize(Math.Max(Small, Count * 2));
            Array.Clear(Targets, 0, Count);
            Array.Clear(Shapes, 0, Count);
            Array.Clear(Names, 0, Count);
            Count = 0;
        }

        internal void Path(PathText path, int entry)
        {
            if (Parents[entry] < 0)
            {
                path.Add(Names[entry]);
                return;
            }
            Path(path, Parents[entry]);
            Segment(path, Segments[entry], Names[entry]);
        }

        internal void ShapeText(PathText path, int entry)
        {
            if (Parents[entry] >= 0) ShapeText(path, Parents[entry]);
            if (Segments[entry] >= 0) path.Add("[*]");
            else if (Segments[entry] == Key) path.Add("{*}");
            else if (Parents[entry] >= 0) Segment(path, Name, Names[entry]);
            else path.Add(Names[entry]);
        }

        internal static void Segment(PathText path, int segment, string name)
        {
            if (segment >= 0) path.Index(segment);
            else if (path.Length > 0 || name.Length > 0) path.Name(name);
        }

        internal static int Length(int segment, string name)
        {
            return segment >= 0 ? IndexLength : 1 + name.Length;
        }

        // True for the key of an entry of a dictionary, shown beside its value.
        internal bool IsKey(int parent, int segment, string name)
        {
            return segment == Name && name == "key" && Targets[parent] is KeyedEntry;
        }

        void Resize(int capacity)
        {
            Array.Resize(ref Targets, capacity);
            Array.Resize(ref Shapes, capacity);
            Array.Resize(ref Parents, capacity);
            Array.Resize(ref Names, capacity);
            Array.Resize(ref Segments, capacity);
            Array.Resize(ref Hashes, capacity);
            Array.Resize(ref ShapeHashes, capacity);
            Array.Resize(ref Depths, capacity);
            Array.Resize(ref Shares, capacity);
            Array.Resize(ref IsVisited, capacity);
            Array.Resize(ref Lengths, capacity);
        }
    }
}
