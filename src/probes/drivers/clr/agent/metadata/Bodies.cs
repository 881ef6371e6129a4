using System;
using System.IO;

namespace Substrate.Meta
{
    // The variables of methods, as the file of an assembly tells them: a runtime that is asked for the code of a method
    // loads the types of all its variables.
    static class Bodies
    {
        const int MaxFile = 64 * 1024 * 1024;
        const int TinyFormat = 2;
        const int FatFormat = 3;

        // By the row of the method the token of the signature of its variables, 0 where it has none. Null: there is no
        // such file.
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
