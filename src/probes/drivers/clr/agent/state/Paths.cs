using System;
using System.Collections.Generic;
using System.Globalization;
using Substrate.Json;

namespace Substrate.State
{
    // Reads paths by the same rules as src/model/path.ts.
    static class Paths
    {
        // Names as string, indices as int; null if it is no path.
        internal static List<object> Parse(string path)
        {
            var segments = new List<object>();
            int at = 0;
            while (at < path.Length)
            {
                int end = path[at] == '[' ? Bracketed(path, at, segments) : Plain(path, at, segments);
                if (end < 0) return null;
                at = end;
            }
            return segments.Count == 0 ? null : segments;
        }

        // The index after it; -1 if malformed.
        static int Bracketed(string path, int at, List<object> segments)
        {
            bool isQuoted = at + 1 < path.Length && path[at + 1] == '"';
            int end = isQuoted ? EndOfQuoted(path, at + 1) : path.IndexOf(']', at);
            if (end < 0 || end >= path.Length || path[end] != ']') return -1;
            string inner = path.Substring(at + 1, end - at - 1);
            int index;
            if (isQuoted)
            {
                try
                {
                    segments.Add((string)JsonReader.Read(inner));
                }
                catch (FormatException)
                {
                    return -1;
                }
            }
            else if (int.TryParse(inner, NumberStyles.None, CultureInfo.InvariantCulture, out index))
                segments.Add(index);
            else return -1;
            return end + 1;
        }

        static int Plain(string path, int at, List<object> segments)
        {
            if (at > 0 && path[at++] != '.') return -1;
            int end = at;
            while (end < path.Length && IsPart(path[end])) end++;
            if (end == at) return -1;
            segments.Add(path.Substring(at, end - at));
            return end;
        }

        // The index after the closing quote.
        static int EndOfQuoted(string path, int open)
        {
            for (int at = open + 1; at < path.Length; at++)
            {
                if (path[at] == '\\') at++;
                else if (path[at] == '"') return at + 1;
            }
            return -1;
        }

        internal static bool IsIdentifier(string name)
        {
            if (name.Length == 0 || name[0] >= '0' && name[0] <= '9') return false;
            foreach (char character in name) if (!IsPart(character)) return false;
            return true;
        }

        static bool IsPart(char character)
        {
            return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z' || character >= '0' && character <= '9'
                || character == '_' || character == '$';
        }
    }
}
