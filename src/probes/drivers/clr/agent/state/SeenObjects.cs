using System;
using System.Runtime.CompilerServices;

namespace Substrate.State
{
    // The entry of the walk that shows each object. By identity; reused for each walk, empty between them.
    sealed class SeenObjects
    {
        const int Small = 1 << 10;
        object[] objects = new object[Small];
        int[] entries = new int[Small];
        int size;

        // -1 if not seen.
        internal int Find(object target)
        {
            int mask = objects.Length - 1;
            for (int at = Place(target, mask); objects[at] != null; at = (at + 1) & mask)
                if (objects[at] == target) return entries[at];
            return -1;
        }

        // The object must not be in the table.
        internal void Add(object target, int entry)
        {
            if (size * 2 >= objects.Length) Grow();
            Insert(target, entry);
            size++;
        }

        internal void Clear()
        {
            // A table for a much larger earlier state would take time to clear at each walk.
            if (objects.Length > Small && size * 16 < objects.Length)
            {
                objects = new object[objects.Length / 4];
                entries = new int[objects.Length];
            }
            else Array.Clear(objects, 0, objects.Length);
            size = 0;
        }

        void Insert(object target, int entry)
        {
            int mask = objects.Length - 1;
            int at = Place(target, mask);
            while (objects[at] != null) at = (at + 1) & mask;
            objects[at] = target;
            entries[at] = entry;
        }

        void Grow()
        {
            object[] formerObjects = objects;
            int[] formerEntries = entries;
            objects = new object[formerObjects.Length * 2];
            entries = new int[objects.Length];
            for (int at = 0; at < formerObjects.Length; at++)
                if (formerObjects[at] != null) Insert(formerObjects[at], formerEntries[at]);
        }

        static int Place(object target, int mask)
        {
            uint hash = unchecked((uint)RuntimeHelpers.GetHashCode(target) * 0x9E3779B9);
            return (int)(hash ^ hash >> 15) & mask;
        }
    }
}
