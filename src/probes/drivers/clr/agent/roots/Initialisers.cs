using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;

namespace Substrate.Roots
{
    // Finds out whether the initialiser of a type has run. Reading a static field would run it, which must be left to
    // the app, and no runtime has an API for this. So the runtime's own mark is searched in memory, with types of the
    // agent as the proof.
    static class Initialisers
    {
        const string Effect = "static fields of types with initialisers are not read";
        const int TypeOfModule = 0x02000001;
        static readonly object gate = new object();
        internal static readonly bool IsMono = typeof(object).Assembly.GetType("Mono.Runtime", false) != null;
        static bool isLearned;
        static IInitFlag mark;

        // Opens the memory once for many checks.
        internal static OwnMemory Open()
        {
            var memory = new OwnMemory();
            lock (gate)
            {
                if (isLearned) return memory;
                isLearned = true;
                try
                {
                    mark = Learn(memory);
                }
                catch (Exception failed)
                {
                    Parts.Miss("static_fields", Effect, failed);
                }
            }
            return memory;
        }

        // True if its static fields can be read without running anything.
        internal static bool HaveRun(OwnMemory memory, Type type)
        {
            if (type.TypeInitializer != null) return IsMarked(memory, type);
            // The first use of a module runs the initialiser of the module, if it has one: it belongs to a type without
            // a name.
            Type ofModule = Type.GetTypeFromHandle(type.Module.ModuleHandle.ResolveTypeHandle(TypeOfModule));
            return ofModule.TypeInitializer == null || IsMarked(memory, ofModule);
        }

        internal static bool IsMarked(OwnMemory memory, Type type)
        {
            return mark != null && mark.IsSet(memory, type);
        }

        // Null unless exactly one mark fits; a missing part is reported then.
        internal static IInitFlag Learn(OwnMemory memory)
        {
            foreach (Type type in ProbeTypes.Run) ProbeTypes.RunInitialiser(type);
            // Mono runs an initialiser also when an object is made.
            if (!IsMono) ProbeTypes.UseSomeIdle();
            var fitting = new List<IInitFlag>();
            foreach (IInitFlag candidate in Candidates(memory))
                if (Fits(memory, candidate)) fitting.Add(candidate);
            foreach (Type late in ProbeTypes.Late)
            {
                fitting.RemoveAll(one => one.IsSet(memory, late));
                ProbeTypes.RunInitialiser(late);
                fitting.RemoveAll(one => !one.IsSet(memory, late));
            }
            if (fitting.Count == 1) return fitting[0];
            string why = !memory.IsOpen ? "the memory of the program cannot be read"
                : fitting.Count == 0 ? "this runtime marks types whose initialiser has run in an unknown way"
                : fitting.Count + " places look like the mark of a type whose initialiser has run";
            Parts.Miss("static_fields", why + ": " + Effect);
            return null;
        }

        static IEnumerable<IInitFlag> Candidates(OwnMemory memory)
        {
            if (IsMono) return MonoInitFlag.All(memory);
            var all = new List<IInitFlag>(TypeInitFlag.All());
            all.AddRange(ModuleInitFlag.All(memory));
            return all;
        }

        static bool Fits(OwnMemory memory, IInitFlag candidate)
        {
            foreach (Type type in ProbeTypes.Idle)
                if (candidate.IsSet(memory, type)) return false;
            foreach (Type type in ProbeTypes.Run)
                if (!candidate.IsSet(memory, type)) return false;
            return true;
        }
    }

    // The runtime's mark that the initialiser of a type has run.
    interface IInitFlag
    {
        // False also where it is not known.
        bool IsSet(OwnMemory memory, Type type);
    }

    // .NET 9 and later: one bit of a block that belongs to the type, to which the method table points.
    sealed class TypeInitFlag : IInitFlag
    {
        const int FirstField = 16;
        const int LastField = 64;
        const int BlockSize = 24;
        readonly int field;
        readonly int offset;
        readonly int mask;

        TypeInitFlag(int field, int offset, int mask)
        {
            this.field = field;
            this.offset = offset;
            this.mask = mask;
        }

        internal static IEnumerable<IInitFlag> All()
        {
            for (int field = FirstField; field <= LastField; field += 8)
                for (int offset = 0; offset < BlockSize; offset++)
                    for (int bit = 0; bit < 8; bit++) yield return new TypeInitFlag(field, offset, 1 << bit);
        }

        public bool IsSet(OwnMemory memory, Type type)
        {
            long block;
            byte value;
            return memory.Word((long)type.TypeHandle.Value + field, out block)
                && memory.Byte(block + offset, out value) && (value & mask) != 0;
        }
    }

    // .NET Core 3.1 to .NET 8: the module has a table with a byte for each of its types, by the number of the type in
    // the metadata; the lowest bit is the mark.
    sealed class ModuleInitFlag : IInitFlag
    {
        const int FirstField = 16;
        const int LastField = 64;
        const int ModuleSize = 2048;
        const int MaxTableStart = 128;
        const int Mask = 1;
        // Such a byte uses no other bits than these.
        const int KnownBits = 0x0f;
        static readonly PropertyInfo collectible = typeof(Assembly).GetProperty("IsCollectible");
        readonly int field;
        readonly int tableField;
        readonly int tableStart;

        ModuleInitFlag(int field, int tableField, int tableStart)
        {
            this.field = field;
            this.tableField = tableField;
            this.tableStart = tableStart;
        }

        // Only plausible candidates: fields in which all probe types have the same pointer.
        internal static IEnumerable<IInitFlag> All(OwnMemory memory)
        {
            for (int field = FirstField; field <= LastField; field += 8)
            {
                long module = SameOfAll(memory, field);
                if (module == 0) continue;
                for (int tableField = 0; tableField < ModuleSize; tableField += 8)
                {
                    long table;
                    byte first;
                    if (!memory.Word(module + tableField, out table) || (table & 7) != 0) continue;
                    if (!memory.Byte(table, out first)) continue;
                    for (int start = 0; start <= MaxTableStart; start += 4)
                        yield return new ModuleInitFlag(field, tableField, start);
                }
            }
        }

        public bool IsSet(OwnMemory memory, Type type)
        {
            long module;
            long table;
            byte value;
            return !type.IsGenericType && !IsCollectible(type.Assembly)
                && memory.Word((long)type.TypeHandle.Value + field, out module)
                && memory.Word(module + tableField, out table)
                && memory.Byte(table + tableStart + (type.MetadataToken & 0xffffff) - 1, out value)
                && (value & ~KnownBits) == 0 && (value & Mask) != 0;
        }

        // Unloadable types have their marks elsewhere.
        static bool IsCollectible(Assembly assembly)
        {
            return collectible != null && (bool)collectible.GetValue(assembly, null);
        }

        static long SameOfAll(OwnMemory memory, int field)
        {
            long same = 0;
            foreach (Type type in ProbeTypes.Run)
            {
                long value;
                if (!memory.Word((long)type.TypeHandle.Value + field, out value)) return 0;
                if (same != 0 && value != same) return 0;
                same = value;
            }
            return (same & 7) == 0 ? same : 0;
        }
    }
}
