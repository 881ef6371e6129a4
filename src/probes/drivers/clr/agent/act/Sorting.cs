using System;
using System.Collections.Generic;

namespace Substrate.Act
{
    static class Sorting
    {
        /// <summary>What ranks the same keeps its order, which List.Sort does not promise.</summary>
        internal static void Stable<T>(List<T> list, Func<T, int> rank)
        {
            var keys = new long[list.Count];
            for (int at = 0; at < keys.Length; at++) keys[at] = ((long)rank(list[at]) << 32) + at;
            T[] items = list.ToArray();
            Array.Sort(keys, items);
            list.Clear();
            list.AddRange(items);
        }
    }
}
