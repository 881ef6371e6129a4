using System.Collections.Generic;

namespace Substrate.Meta
{
    // Finds the attributes of a member that other assemblies declare, by their names alone.
    sealed class Attributes
    {
        readonly Dictionary<int, List<string>> found = new Dictionary<int, List<string>>();

        internal Attributes(Metadata metadata)
        {
            for (int row = metadata.RowsOf(Metadata.CustomAttribute); row > 0; row--)
            {
                int made = Metadata.Token('u', metadata.Value(Metadata.CustomAttribute, row, 1));
                if (made >> 24 != Metadata.MemberRef) continue;
                int type = Metadata.Token('m', metadata.Value(Metadata.MemberRef, made & 0xffffff, 0));
                if (type >> 24 != Metadata.TypeRef) continue;
                int owner = Metadata.Token('a', metadata.Value(Metadata.CustomAttribute, row, 0));
                if (!found.ContainsKey(owner)) found[owner] = new List<string>();
                found[owner].Add(metadata.TextAt(metadata.Value(Metadata.TypeRef, type & 0xffffff, 1)));
            }
        }

        // `name` has no namespace.
        internal bool Has(int token, string name)
        {
            List<string> names;
            return found.TryGetValue(token, out names) && names.Contains(name);
        }
    }
}
