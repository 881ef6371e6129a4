using System;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using Substrate.Health;

namespace Substrate.Meta
{
    // The metadata of a loaded assembly: from the runtime if it offers it, otherwise from the file.
    static unsafe class MetadataBytes
    {
        const int MaxFile = 64 * 1024 * 1024;
        delegate bool Giver(Assembly assembly, out byte* begin, out int length);
        static readonly Giver Give = FindGiver();

        // Null if it cannot be read.
        internal static byte[] Of(Assembly assembly)
        {
            try
            {
                return assembly.IsDynamic ? null : FromRuntime(assembly) ?? FromFile(assembly.Location);
            }
            catch (Exception discarded)
            {
                Discarded.Count("MetadataBytes.Of", discarded);
                return null;
            }
        }

        // Null on older runtimes and Mono, which do not offer it.
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
                // Nothing is lost: the metadata is read from the file instead.
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
            catch (Exception discarded)
            {
                Discarded.Count("MetadataBytes.IsGiven", discarded);
                return false;
            }
        }

        static byte[] FromFile(string path)
        {
            bool isFile = !string.IsNullOrEmpty(path) && new FileInfo(path).Length <= MaxFile;
            return isFile ? new PeFile(File.ReadAllBytes(path)).Metadata() : null;
        }
    }
}
