using System;
using System.Collections.Generic;

namespace Substrate.Act
{
    /// <summary>To which assemblies tokens lead, by what they name and what stands in their signatures.</summary>
    sealed class References
    {
        const int MaxDepth = 40;
        readonly Metadata metadata;
        readonly Func<string, bool> isThere;
        readonly Dictionary<int, bool> known = new Dictionary<int, bool>();
        Dictionary<int, List<int>> implemented;
        int at;

        internal References(Metadata metadata, Func<string, bool> isThere)
        {
            this.metadata = metadata;
            this.isThere = isThere;
        }

        /// <summary>All that the runtime would need to resolve it is there.</summary>
        internal bool AreThere(int token)
        {
            try
            {
                return Leads(token, 0);
            }
            catch (FormatException)
            {
                return false;
            }
        }

        bool Leads(int token, int depth)
        {
            bool leads;
            if (known.TryGetValue(token, out leads)) return leads;
            if (depth > MaxDepth) throw new FormatException("too deep");
            // What leads back to itself is not to be refused for it.
            known[token] = true;
            return known[token] = LeadsAnew(token, depth + 1);
        }

        bool LeadsAnew(int token, int depth)
        {
            int row = token & 0xffffff;
            int table = token >> 24 & 0xff;
            switch (table)
            {
                case 0x00: return true;
                case Metadata.AssemblyRef: return isThere(metadata.TextAt(metadata.Value(table, row, 6)));
                case Metadata.TypeRef: return Leads(Metadata.Token('r', metadata.Value(table, row, 0)), depth);
                case Metadata.TypeDef: return LeadsToBase(row, depth);
                case Metadata.Field:
                    return LeadsToOwner(row, 4, depth) && Signature(metadata.Value(table, row, 2), depth);
                case Metadata.MethodDef:
                    return LeadsToOwner(row, 5, depth) && Signature(metadata.Value(table, row, 4), depth);
                case Metadata.MemberRef:
                    return Leads(Metadata.Token('m', metadata.Value(table, row, 0)), depth)
                        && Signature(metadata.Value(table, row, 2), depth);
                case Metadata.TypeSpec: return Blob(metadata.Value(table, row, 0), () => Type(depth));
                case Metadata.MethodSpec:
                    return Leads(Metadata.Token('o', metadata.Value(table, row, 0)), depth)
                        && Signature(metadata.Value(table, row, 1), depth);
                default: return false;
            }
        }

        bool LeadsToBase(int row, int depth)
        {
            int extends = metadata.Value(Metadata.TypeDef, row, 3);
            // Nothing is extended by interfaces and by Object itself.
            if (extends >> 2 != 0 && !Leads(Metadata.Token('t', extends), depth)) return false;
            List<int> interfaces;
            if (!Interfaces.TryGetValue(row, out interfaces)) return true;
            foreach (int each in interfaces) if (!Leads(Metadata.Token('t', each), depth)) return false;
            return true;
        }

        /// <summary>What types implement, by the row of the type.</summary>
        Dictionary<int, List<int>> Interfaces
        {
            get
            {
                if (implemented != null) return implemented;
                var found = new Dictionary<int, List<int>>();
                for (int row = metadata.RowsOf(Metadata.InterfaceImpl); row > 0; row--)
                {
                    int type = metadata.Value(Metadata.InterfaceImpl, row, 0);
                    if (!found.ContainsKey(type)) found[type] = new List<int>();
                    found[type].Add(metadata.Value(Metadata.InterfaceImpl, row, 1));
                }
                return implemented = found;
            }
        }

        /// <summary>Tokens of all types of the assembly for which nothing else has to be loaded.</summary>
        internal List<int> Types()
        {
            var tokens = new List<int>();
            int count = metadata.RowsOf(Metadata.TypeDef);
            // The first stands for what is in no type.
            for (int row = 2; row <= count; row++)
                if (AreThere(Metadata.TypeDef << 24 | row)) tokens.Add(Metadata.TypeDef << 24 | row);
            return tokens;
        }

        /// <summary>A type has the fields and methods from its first on to the first of the next type.</summary>
        bool LeadsToOwner(int row, int column, int depth)
        {
            int low = 1;
            int high = metadata.RowsOf(Metadata.TypeDef);
            while (low < high)
            {
                int middle = (low + high + 1) / 2;
                if (metadata.Value(Metadata.TypeDef, middle, column) <= row) low = middle;
                else high = middle - 1;
            }
            return Leads(Metadata.TypeDef << 24 | low, depth);
        }

        bool Blob(int index, Func<bool> read)
        {
            int before = at;
            at = metadata.BlobAt(index);
            Number();
            bool leads = read();
            at = before;
            return leads;
        }

        bool Signature(int index, int depth)
        {
            return Blob(index, () => Signature(depth));
        }

        bool Signature(int depth)
        {
            int kind = metadata.One(at++);
            if (kind == 0x06) return Type(depth);
            if (kind != 0x0a && (kind & 0x10) != 0) Number();
            int types = Number() + (kind == 0x0a ? 0 : 1);
            bool leads = true;
            for (; types > 0 && leads; types--) leads = Type(depth);
            return leads;
        }

        bool Type(int depth)
        {
            if (depth > MaxDepth) throw new FormatException("too deep");
            int element = metadata.One(at++);
            switch (element)
            {
                case 0x0f: case 0x10: case 0x1d: case 0x41: case 0x45: return Type(depth + 1);
                case 0x11: case 0x12: return Leads(Metadata.Token('t', Number()), depth + 1);
                case 0x13: case 0x1e: return Number() >= 0;
                case 0x14: return Type(depth + 1) && Bounds();
                case 0x15:
                    at++;
                    bool leads = Leads(Metadata.Token('t', Number()), depth + 1);
                    for (int count = Number(); count > 0 && leads; count--) leads = Type(depth + 1);
                    return leads;
                case 0x1b: return Signature(depth + 1);
                case 0x1f: case 0x20: return Leads(Metadata.Token('t', Number()), depth + 1) && Type(depth + 1);
                default: return element >= 0x01 && element <= 0x1c;
            }
        }

        bool Bounds()
        {
            Number();
            for (int lists = 0; lists < 2; lists++) for (int count = Number(); count > 0; count--) Number();
            return true;
        }

        /// <summary>One to four bytes; how many, the first says.</summary>
        int Number()
        {
            int first = metadata.One(at++);
            if ((first & 0x80) == 0) return first;
            if ((first & 0xc0) == 0x80) return (first & 0x3f) << 8 | metadata.One(at++);
            int high = (first & 0x1f) << 24 | metadata.One(at++) << 16;
            return high | metadata.One(at++) << 8 | metadata.One(at++);
        }
    }
}
