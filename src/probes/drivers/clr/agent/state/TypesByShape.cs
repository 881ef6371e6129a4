using System;
using System.Collections.Generic;

namespace Substrate.State
{
    // The types of the app that the walk meets at each shape of path.
    sealed class TypesByShape
    {
        const int MaxShapes = 5000;
        const int MaxTypes = 50;
        readonly Dictionary<long, ShapePlace> places = new Dictionary<long, ShapePlace>();
        List<ShapePlace> order = new List<ShapePlace>();
        int walk;
        bool isChanged;
        ShapePlace last;
        long lastHash;

        sealed class ShapePlace
        {
            internal readonly string Shape;
            internal readonly long Hash;
            internal readonly bool IsStatic;
            internal readonly List<WeakReference> Types = new List<WeakReference>(1);
            internal int LastWalk;

            internal ShapePlace(string shape, long hash, bool isStatic)
            {
                Shape = shape;
                Hash = hash;
                IsStatic = isStatic;
            }

            internal bool Knows(Type type)
            {
                foreach (WeakReference known in Types) if (known.Target == (object)type) return true;
                return false;
            }

            internal bool HasRoom()
            {
                // The app has unloaded these types.
                if (Types.Count >= MaxTypes) Types.RemoveAll(known => !known.IsAlive);
                return Types.Count < MaxTypes;
            }
        }

        internal int Version { get; private set; }

        internal void BeginWalk()
        {
            walk++;
            isChanged = false;
            last = null;
        }

        internal void Note(WalkEntries entries, int entry)
        {
            long hash = entries.ShapeHashes[entry];
            object target = entries.Targets[entry];
            // The walk is breadth first: the elements of one list come one after the other.
            ShapePlace place = last != null && hash == lastHash ? last : Find(hash, entries, entry, target is Type);
            if (place == null) return;
            place.LastWalk = walk;
            last = place;
            lastHash = hash;
            Type type = target as Type ?? target.GetType();
            if (place.Knows(type) || !place.HasRoom()) return;
            place.Types.Add(new WeakReference(type));
            isChanged = true;
        }

        ShapePlace Find(long hash, WalkEntries entries, int entry, bool isStatic)
        {
            ShapePlace place;
            if (places.TryGetValue(hash, out place)) return place;
            if (places.Count >= MaxShapes) return null;
            var shape = new PathText();
            entries.ShapeText(shape, entry);
            place = new ShapePlace(shape.ToString(), hash, isStatic);
            places.Add(hash, place);
            order.Add(place);
            isChanged = true;
            return place;
        }

        internal void EndWalk()
        {
            bool isGone = false;
            foreach (ShapePlace place in order) isGone |= place.LastWalk != walk;
            if (isGone)
            {
                var left = new List<ShapePlace>();
                foreach (ShapePlace place in order)
                    if (place.LastWalk == walk) left.Add(place);
                    else places.Remove(place.Hash);
                order = left;
            }
            if (isGone || isChanged) Version++;
        }

        internal List<Holder> List()
        {
            var list = new List<Holder>(order.Count);
            foreach (ShapePlace place in order)
                foreach (WeakReference known in place.Types)
                {
                    var type = known.Target as Type;
                    if (type != null) list.Add(new Holder(place.Shape, type, place.IsStatic));
                }
            return list;
        }
    }
}
