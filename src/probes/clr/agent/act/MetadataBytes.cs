using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Substrate.Act
{
    /// <summary>
    /// The metadata of a loaded assembly: from the runtime where it gives it away, else from the file.
    /// </summary>
    static unsafe class MetadataBytes
    {
        const int MaxFile = 64 * 1024 * 1024;
        delegate bool Giver(Assembly assembly, out byte* begin, out int length);
        static readonly Giver Give = FindGiver();

        /// <summary>Null: it cannot be had.</summary>
        internal static byte[] Of(Assembly assembly)
        {
            try
            {
                return assembly.IsDynamic ? null : FromRuntime(assembly) ?? FromFile(assembly.Location);
            }
            catch (Exception)
            {
                return null;
            }
        }

        /// <summary>Null: older runtimes, and Mono, do not give it.</summary>
        static Giver FindGiver()
        {
            try
            {
                Type type = typeof(object).Assembly.GetType("System.Reflection.Metadata.AssemblyExtensions");
                MethodInfo method = type == null ? null : type.GetMethod("TryGetRawMetadata");
                return method == null ? null : (Giver)Delegate.CreateDelegate(typeof(Giver), method);
            }
            catch (Exception)
            {
                return null;
            }
        }

        static byte[] FromRuntime(Assembly assembly)
        {
            byte* begin;
            int length;
            if (Give == null || !IsGiven(assembly, out begin, out length)) return null;
            var bytes = new byte[length];
            Marshal.Copy((IntPtr)begin, bytes, 0, length);
            return bytes;
        }

        static bool IsGiven(Assembly assembly, out byte* begin, out int length)
        {
            begin = null;
            length = 0;
            try
            {
                return Give(assembly, out begin, out length) && begin != null;
            }
            catch (Exception)
            {
                return false;
            }
        }

        static byte[] FromFile(string path)
        {
            if (string.IsNullOrEmpty(path) || new FileInfo(path).Length > MaxFile) return null;
            byte[] file = File.ReadAllBytes(path);
            int pe = Il.Number(file, 0x3c);
            int sections = file[pe + 6] | file[pe + 7] << 8;
            int optional = pe + 24;
            bool isWide = file[optional] == 0x0b && file[optional + 1] == 0x02;
            int cliEntry = optional + (isWide ? 112 : 96) + 14 * 8;
            int sectionTable = optional + (file[pe + 20] | file[pe + 21] << 8);
            int cli = InFile(file, sectionTable, sections, Il.Number(file, cliEntry));
            int begin = InFile(file, sectionTable, sections, Il.Number(file, cli + 8));
            var bytes = new byte[Il.Number(file, cli + 12)];
            Buffer.BlockCopy(file, begin, bytes, 0, bytes.Length);
            return bytes;
        }

        /// <summary>Where in the file is what will be at this address.</summary>
        static int InFile(byte[] file, int sectionTable, int sections, int address)
        {
            for (int at = sectionTable; sections > 0; sections--, at += 40)
            {
                int begin = Il.Number(file, at + 12);
                if (address >= begin && address < begin + Il.Number(file, at + 16))
                    return address - begin + Il.Number(file, at + 20);
            }
            throw new FormatException("an address beyond all sections");
        }
    }
}
