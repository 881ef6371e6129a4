using System.Collections.Generic;
using Substrate.Roots;

namespace Substrate.Hosts
{
    // Texts in a collection of the framework.
    static class TextList
    {
        internal static object[] In(object collection, int max)
        {
            var texts = new List<object>();
            foreach (object one in Entries.ValuesOf(collection))
                if (one is string && texts.Count < max) texts.Add(one);
            return texts.ToArray();
        }
    }
}
