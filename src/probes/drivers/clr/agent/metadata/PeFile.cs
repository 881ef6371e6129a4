using System;
using System.IO;

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

        // The file offset of an address in memory.
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

    // The local variables of methods, from the file of an assembly: a runtime that is asked for the code of a method
    // loads the types of all its variables.
    static class Bodies
    {
        const int MaxFile = 64 * 1024 * 1024;
        const int TinyFormat = 2;
        const int FatFormat = 3;

        // For each method row the token of the signature of its variables, 0 if it has none. Null if there is no such
        // file.
        internal static int[] Variables(string path, Metadata metadata)
        {
            if (string.IsNullOrEmpty(path) || new FileInfo(path).Length > MaxFile) return null;
            var image = new PeFile(File.ReadAllBytes(path));
            var tokens = new int[metadata.RowsOf(Metadata.MethodDef) + 1];
            for (int row = 1; row < tokens.Length; row++)
            {
                int address = metadata.Value(Metadata.MethodDef, row, 0);
                if (address != 0) tokens[row] = VariablesAt(image.Bytes, image.InFile(address));
            }
            return tokens;
        }

        static int VariablesAt(byte[] file, int at)
        {
            if (at < 0 || at >= file.Length) throw new FormatException("beyond the end");
            int format = file[at] & 3;
            if (format == TinyFormat) return 0;
            return format == FatFormat ? Metadata.Number(file, at + 8) : 0;
        }
    }
}
