using System;
using System.Collections.Generic;
using Substrate.Health;

namespace Substrate.Meta
{
    // Finds the assemblies to which tokens lead, by the names and signatures that they contain.
    sealed class References
    {
        const int MaxDepth = 40;
        // The first byte of the signature of a method's variables.
        const int OfVariables = 0x07;
        readonly Metadata metadata;
        readonly int[] variables;
        readonly Func<string, bool> isThere;
        readonly Dictionary<int, bool> known = new Dictionary<int, bool>();
        Dictionary<int, List<int>> implemented;
        Attributes attributes;
        // Collects the types in a signature; null if nobody needs them.
        List<int> mentioned;
        int at;

        // `variables`: see Bodies; null if they are not known, and assumed to be loaded.
        internal References(Metadata metadata, int[] variables, Func<string, bool> isThere)
        {
            this.metadata = metadata;
            this.variables = variables;
            this.isThere = isThere;
        }

        // True if all types of the variables of a method are loaded.
        internal bool VariablesAreThere(int token)
        {
            int row = token & 0xffffff;
            return variables == null || row < variables.Length && (variables[row] == 0 || AreThere(variables[row]));
        }

        // True if everything that is needed to resolve it is loaded.
        internal bool AreThere(int token)
        {
            try
            {
                return Leads(token, 0);
            }
            catch (FormatException discarded)
            {
                Discarded.Count("References.AreThere", discarded);
                return false;
            }
        }

        bool Leads(int token, int depth)
        {
            bool leads;
            if (known.TryGetValue(token, out leads)) return leads;
            if (depth > MaxDepth) throw new FormatException("too deep");
            // A cycle is no reason to refuse it.
            known[token] = true;
            try
            {
                return known[token] = leads = LeadsAnew(token, depth + 1);
            }
            finally
            {
                if (!leads) known[token] = false;
            }
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
                    return Leads(metadata.OwnerOf(row, 4), depth) && Signature(metadata.Value(table, row, 2), depth);
                case Metadata.MethodDef:
                    return Leads(metadata.OwnerOf(row, 5), depth) && Signature(metadata.Value(table, row, 4), depth);
                case Metadata.MemberRef:
                    return Leads(Metadata.Token('m', metadata.Value(table, row, 0)), depth)
                        && Signature(metadata.Value(table, row, 2), depth);
                case Metadata.Variables: return Signature(metadata.Value(table, row, 0), depth);
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
            // Interfaces and Object itself extend nothing.
            if (extends >> 2 != 0 && !Leads(Metadata.Token('t', extends), depth)) return false;
            for (int field = metadata.FirstField(row); field < metadata.FirstField(row + 1); field++)
                if (!LeadsIfStruct(field, depth)) return false;
            List<int> interfaces;
            if (!Interfaces.TryGetValue(row, out interfaces)) return true;
            foreach (int each in interfaces) if (!Leads(Metadata.Token('t', each), depth)) return false;
            return true;
        }

        // The size of a type depends on the structs in it: those are loaded with it.
        bool LeadsIfStruct(int field, int depth)
        {
            int signature = metadata.Value(Metadata.Field, field, 2);
            return Blob(signature, () => !IsStruct()) || Signature(signature, depth);
        }

        bool IsStruct()
        {
            at++;
            int element = metadata.One(at);
            return element == 0x11 || element == 0x15 && metadata.One(at + 1) == 0x11;
        }

        // Mono loads the types of all fields, also of base types, when it reads a type.
        bool FieldsAreThere(int row, int depth)
        {
            for (int field = metadata.FirstField(row); field < metadata.FirstField(row + 1); field++)
                if (!AreThere(Metadata.Field << 24 | field)) return false;
            int extends = Metadata.Token('t', metadata.Value(Metadata.TypeDef, row, 3));
            if (extends >> 24 != Metadata.TypeDef || (extends & 0xffffff) == 0) return true;
            return depth < MaxDepth && FieldsAreThere(extends & 0xffffff, depth + 1);
        }

        // True if the type of a field can be read, on Mono too.
        internal bool FieldIsThere(int token)
        {
            if (!AreThere(token)) return false;
            mentioned = new List<int>();
            List<int> named = mentioned;
            Signature(metadata.Value(Metadata.Field, token & 0xffffff, 2), 0);
            mentioned = null;
            foreach (int type in named)
                if (type >> 24 == Metadata.TypeDef && !FieldsAreThere(type & 0xffffff, 0)) return false;
            return true;
        }

        internal Attributes Attributes
        {
            get { return attributes = attributes ?? new Attributes(metadata); }
        }

        // Interfaces of each type, by the row of the type.
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

        // Tokens of all types of the assembly for which nothing else has to be loaded, with `withFields` not even for
        // their fields.
        internal List<int> Types(bool withFields)
        {
            var tokens = new List<int>();
            int count = metadata.RowsOf(Metadata.TypeDef);
            // The first row stands for members outside of any type.
            for (int row = 2; row <= count; row++)
                if (AreThere(Metadata.TypeDef << 24 | row) && (!withFields || FieldsAreThere(row, 0)))
                    tokens.Add(Metadata.TypeDef << 24 | row);
            return tokens;
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
            if (kind != 0x0a && kind != OfVariables && (kind & 0x10) != 0) Number();
            int types = Number() + (kind == 0x0a || kind == OfVariables ? 0 : 1);
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
                case 0x11: case 0x12: return Mentioned(depth);
                case 0x13: case 0x1e: return Number() >= 0;
                case 0x14: return Type(depth + 1) && Bounds();
                case 0x15:
                    at++;
                    bool leads = Mentioned(depth);
                    for (int count = Number(); count > 0 && leads; count--) leads = Type(depth + 1);
                    return leads;
                case 0x1b: return Signature(depth + 1);
                case 0x1f: case 0x20: return Leads(Metadata.Token('t', Number()), depth + 1) && Type(depth + 1);
                default: return element >= 0x01 && element <= 0x1c;
            }
        }

        bool Mentioned(int depth)
        {
            int token = Metadata.Token('t', Number());
            if (mentioned != null) mentioned.Add(token);
            return Leads(token, depth + 1);
        }

        bool Bounds()
        {
            Number();
            for (int lists = 0; lists < 2; lists++) for (int count = Number(); count > 0; count--) Number();
            return true;
        }

        // One to four bytes; the first one has the length.
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
