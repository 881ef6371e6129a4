using System;
using System.Collections.Generic;

namespace Substrate.State
{
    // Which types of the app the walk meets at which shapes of path.
    sealed class TypesByShape
    {
        const int MaxShapes = 5000;
        const int MaxTypes = 50;
        readonly Dictionary<long, Place> places = new Dictionary<long, Place>();
        List<Place> order = new List<Place>();
        int walk;
        bool isChanged;
        Place last;
        long lastHash;

        sealed class Place
        {
            internal readonly string Shape;
            internal readonly long Hash;
            internal readonly bool IsStatic;
            internal readonly List<WeakReference> Types = new List<WeakReference>(1);
            internal int LastWalk;

            internal Place(string shape, long hash, bool isStatic)
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
                // Of types that the app has unloaded.
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
            // Breadth first, the elements of one list come one after the other.
            Place place = last != null && hash == lastHash ? last : Find(hash, entries, entry, target is Type);
            if (place == null) return;
            place.LastWalk = walk;
            last = place;
            lastHash = hash;
            Type type = target as Type ?? target.GetType();
            if (place.Knows(type) || !place.HasRoom()) return;
            place.Types.Add(new WeakReference(type));
            isChanged = true;
        }

        Place Find(long hash, WalkEntries entries, int entry, bool isStatic)
        {
            Place place;
            if (places.TryGetValue(hash, out place)) return place;
            if (places.Count >= MaxShapes) return null;
            var shape = new PathText();
            entries.ShapeText(shape, entry);
            place = new Place(shape.ToString(), hash, isStatic);
            places.Add(hash, place);
            order.Add(place);
            isChanged = true;
            return place;
        }

        internal void EndWalk()
        {
            bool isGone = false;
            foreach (Place place in order) isGone |= place.LastWalk != walk;
            if (isGone)
            {
                var left = new List<Place>();
                foreach (Place place in order)
                    if (place.LastWalk == walk) left.Add(place);
                    else places.Remove(place.Hash);
                order = left;
            }
            if (isGone || isChanged) Version++;
        }

        internal List<Holder> List()
        {
            var list = new List<Holder>(order.Count);
            foreach (Place place in order)
                foreach (WeakReference known in place.Types)
                {
                    var type = known.Target as Type;
                    if (type != null) list.Add(new Holder(place.Shape, type, place.IsStatic));
                }
            return list;
        }
    }
}
