using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Roots
{
    // .NET Core 3.1 to .NET 8: the module has a table with a byte for each of its types, by the number of the type in
    // the metadata; the lowest bit is the mark.
    sealed class ModuleInitFlag : IInitFlag
    {
        const int FirstField = 16;
        const int LastField = 64;
        const int ModuleSize = 2048;
        const int MaxTableStart = 128;
        const int Mask = 1;
        // More bits than these are in no such byte.
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

        // Only those that are worth a try: fields in which all of our types have the same pointer.
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

        // What can be unloaded has its marks elsewhere.
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
