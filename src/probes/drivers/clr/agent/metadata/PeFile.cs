using System;

namespace Substrate.Meta
{
    // The file of an assembly (ECMA-335, partition II, 25).
    sealed class PeFile
    {
        internal readonly byte[] Bytes;
        readonly int sectionTable;
        readonly int sections;
        readonly int cliEntry;

        internal PeFile(byte[] file)
        {
            Bytes = file;
            int pe = Number(0x3c);
            sections = file[pe + 6] | file[pe + 7] << 8;
            int optional = pe + 24;
            bool isWide = file[optional] == 0x0b && file[optional + 1] == 0x02;
            cliEntry = optional + (isWide ? 112 : 96) + 14 * 8;
            sectionTable = optional + (file[pe + 20] | file[pe + 21] << 8);
        }

        internal byte[] Metadata()
        {
            int cli = InFile(Number(cliEntry));
            int begin = InFile(Number(cli + 8));
            var bytes = new byte[Number(cli + 12)];
            Buffer.BlockCopy(Bytes, begin, bytes, 0, bytes.Length);
            return bytes;
        }

        // Where in the file is what will be at this address.
        internal int InFile(int address)
        {
            for (int at = sectionTable, left = sections; left > 0; left--, at += 40)
            {
                int begin = Number(at + 12);
                if (address >= begin && address < begin + Number(at + 16)) return address - begin + Number(at + 20);
            }
            throw new FormatException("an address beyond all sections");
        }

        int Number(int at)
        {
            return Meta.Metadata.Number(Bytes, at);
        }
    }
}
