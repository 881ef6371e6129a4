using System;
using System.Collections.Generic;

namespace Substrate.Read
{
    // A list of name patterns: see NamePattern in src/probes/insight/walk-rules.ts.
    sealed class NameList
    {
        readonly string[] patterns;

        internal NameList(object list)
        {
            patterns = ((List<object>)list).ConvertAll(each => (string)each).ToArray();
        }

        internal bool Has(string name)
        {
            foreach (string pattern in patterns)
            {
                bool isExcluded = pattern[0] == '!';
                if (Matches(name, pattern, isExcluded ? 1 : 0)) return !isExcluded;
            }
            return false;
        }

        static bool Matches(string name, string pattern, int from)
        {
            int star = pattern.IndexOf('*', from);
            int last = pattern.LastIndexOf('*');
            if (star < 0) return name.Length == pattern.Length - from && pattern.EndsWith(name, StringComparison.Ordinal);
            if (star < last) return name.IndexOf(pattern.Substring(star + 1, last - star - 1), StringComparison.Ordinal) >= 0;
            int before = star - from;
            int after = pattern.Length - star - 1;
            return name.Length >= before + after && string.CompareOrdinal(name, 0, pattern, from, before) == 0
                && string.CompareOrdinal(name, name.Length - after, pattern, star + 1, after) == 0;
        }
    }
}
