using System;
using System.Text;

namespace Substrate.Meta
{
    // The tables of an assembly's metadata (ECMA-335, partition II, 22 to 24), read without the runtime, which would
    // load their references. Anything malformed throws FormatException.
    sealed class Metadata
    {
        internal const int TypeRef = 0x01;
        internal const int TypeDef = 0x02;
        internal const int Field = 0x04;
        internal const int MethodDef = 0x06;
        internal const int InterfaceImpl = 0x09;
        internal const int MemberRef = 0x0a;
        internal const int CustomAttribute = 0x0c;
        internal const int Variables = 0x11;
        internal const int TypeSpec = 0x1b;
        internal const int AssemblyRef = 0x23;
        internal const int MethodSpec = 0x2b;
        const int Count = 0x2d;

        // Columns of each table: 2 and 4 bytes, S a text, G a GUID, B a blob; a lowercase letter is an index into
        // several tables; after # the number of the one table.
        static readonly string[] Columns =
        {
            "2SGGG", "rSS", "4SSt#04#06", "#04", "2SB", "#06", "422SB#08", "#08", "22S", "#02t", "mSB", "2cB", "auB",
            "fB", "2dB",
            "24#02", "4#04", "B", "#02#14", "#14", "2St", "#02#17", "#17", "2SB", "2#06s", "#02oo", "S", "B", "2wS#1a",
            "4#04", "44", "4",
            "422224BSS", "4", "444", "22224BSSB", "4#23", "444#23", "4SB", "44SSi", "44Si", "#02#02", "22pS", "oB",
            "#2at",
        };
        // The meaning of the lowercase letters: the number of bits that select the table, and the tables.
        static readonly string[] Choices =
        {
            "r2 00 1a 23 01", "t2 02 01 1b", "m3 02 01 1a 06 1b", "c2 04 08 17", "u3 00 00 06 0a", "f1 04 08",
            "d2 02 06 20", "s1 14 17",
            "o1 06 0a", "w1 04 06", "i2 26 23 27", "p1 02 06",
            "a5 06 04 01 02 08 09 0a 00 0e 17 14 11 1a 1b 20 23 26 27 28 2a 2c 2b",
        };

        readonly byte[] bytes;
        readonly int[] rows = new int[64];
        readonly int[] begins = new int[Count];
        readonly int[] sizes = new int[Count];
        int texts;
        int blobs;
        int guids;
        byte heapSizes;

        internal Metadata(byte[] bytes)
        {
            this.bytes = bytes;
            if (Number(0) != 0x424a5342) throw new FormatException("no metadata");
            int at = 16 + Number(12);
            int streams = Two(at + 2);
            at += 4;
            int tables = 0;
            for (; streams > 0; streams--)
            {
                int begin = Number(at);
                string name = Text(at + 8, 32);
                if (name == "#~" || name == "#-") tables = begin;
                else if (name == "#Strings") texts = begin;
                else if (name == "#Blob") blobs = begin;
                else if (name == "#GUID") guids = begin;
                at += 8 + (name.Length + 4 & ~3);
            }
            ReadSizes(tables);
        }

        void ReadSizes(int at)
        {
            heapSizes = One(at + 6);
            long valid = (uint)Number(at + 8) | (long)Number(at + 12) << 32;
            at += 24;
            for (int table = 0; table < rows.Length; table++)
            {
                if ((valid >> table & 1) == 0) continue;
                rows[table] = Number(at);
                if (rows[table] < 0 || rows[table] > 0xffffff) throw new FormatException("too many rows");
                at += 4;
            }
            for (int table = 0; table < Count; table++)
            {
                begins[table] = at;
                string columns = Columns[table];
                for (int column = 0; column < columns.Length; column += columns[column] == '#' ? 3 : 1)
                    sizes[table] += Width(columns, column);
                long end = at + (long)sizes[table] * rows[table];
                if (end > bytes.Length) throw new FormatException("a table goes beyond the end");
                at = (int)end;
            }
        }

        int Width(string columns, int column)
        {
            switch (columns[column])
            {
                case '2': return 2;
                case '4': return 4;
                case 'S': return (heapSizes & 1) != 0 ? 4 : 2;
                case 'G': return (heapSizes & 2) != 0 ? 4 : 2;
                case 'B': return (heapSizes & 4) != 0 ? 4 : 2;
                case '#': return rows[Hex(columns, column + 1)] > 0xffff ? 4 : 2;
            }
            string choice = ChoiceOf(columns[column]);
            int limit = 0xffff >> (choice[1] - '0');
            for (int at = 3; at < choice.Length; at += 3) if (rows[Hex(choice, at)] > limit) return 4;
            return 2;
        }

        static string ChoiceOf(char letter)
        {
            foreach (string choice in Choices) if (choice[0] == letter) return choice;
            throw new FormatException("no such column");
        }

        static int Hex(string text, int at)
        {
            return Convert.ToInt32(text.Substring(at, 2), 16);
        }

        internal int RowsOf(int table)
        {
            return rows[table];
        }

        // One value; `column` counts from 0, rows from 1.
        internal int Value(int table, int row, int column)
        {
            if (row < 1 || row > rows[table]) throw new FormatException("no such row");
            int at = begins[table] + (row - 1) * sizes[table];
            string columns = Columns[table];
            int place = 0;
            for (; column > 0; column--)
            {
                at += Width(columns, place);
                place += columns[place] == '#' ? 3 : 1;
            }
            return Width(columns, place) == 2 ? Two(at) : Number(at);
        }

        // Decodes a value that contains its table into a token.
        internal static int Token(char letter, int value)
        {
            string choice = ChoiceOf(letter);
            int bits = choice[1] - '0';
            int at = 3 + 3 * (value & (1 << bits) - 1);
            if (at + 2 > choice.Length) throw new FormatException("no such table");
            return Hex(choice, at) << 24 | value >> bits & 0xffffff;
        }

        internal int FirstField(int row)
        {
            return row > rows[TypeDef] ? rows[Field] + 1 : Value(TypeDef, row, 4);
        }

        // The type that declares a field or method. A type has those from its first, which is in this column, to the
        // first of the next type.
        internal int OwnerOf(int row, int column)
        {
            int low = 1;
            int high = rows[TypeDef];
            while (low < high)
            {
                int middle = (low + high + 1) / 2;
                if (Value(TypeDef, middle, column) <= row) low = middle;
                else high = middle - 1;
            }
            return TypeDef << 24 | low;
        }

        internal string TextAt(int index)
        {
            return Text(texts + index, 1000);
        }

        // The offset of a blob, which begins with its length.
        internal int BlobAt(int index)
        {
            return blobs + index;
        }

        // The id of this build.
        internal Guid Id
        {
            get
            {
                var id = new byte[16];
                for (int at = 0; at < 16; at++) id[at] = One(guids + (Value(0, 1, 2) - 1) * 16 + at);
                return new Guid(id);
            }
        }

        internal byte One(int at)
        {
            if (at < 0 || at >= bytes.Length) throw new FormatException("beyond the end");
            return bytes[at];
        }

        // The four bytes there.
        internal static int Number(byte[] bytes, int at)
        {
            if (at < 0 || at + 4 > bytes.Length) throw new FormatException("beyond the end");
            return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24;
        }

        int Number(int at)
        {
            return Number(bytes, at);
        }

        int Two(int at)
        {
            return One(at) | One(at + 1) << 8;
        }

        string Text(int at, int max)
        {
            int end = at;
            while (end - at < max && One(end) != 0) end++;
            return Encoding.UTF8.GetString(bytes, at, end - at);
        }
    }
}
