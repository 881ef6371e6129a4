using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Substrate.Roots
{
    // In Mono a class points to its vtables, one for each domain that uses it. A vtable begins with a pointer to its
    // class and has a byte that is 1 after the initialiser has run. A class without a vtable was never used. The places
    // of the pointer and of the byte differ between versions, so all candidates are tried on types of the agent.
    sealed class MonoInitFlag : IInitFlag
    {
        // The range of bytes that are tried for the pointer in the class, and for the byte in the vtable.
        const int ClassSize = 512;
        const int FirstByte = 40;
        const int LastByte = 64;
        readonly int field;
        readonly int offset;

        MonoInitFlag(int field, int offset)
        {
            this.field = field;
            this.offset = offset;
        }

        internal static IEnumerable<IInitFlag> All(OwnMemory memory)
        {
            // The agent's unused types need vtables for the comparison.
            IntPtr domain = mono_domain_get();
            foreach (Type type in ProbeTypes.Idle)
                mono_class_vtable(domain, ClassOf(type));
            foreach (Type type in ProbeTypes.Late)
                mono_class_vtable(domain, ClassOf(type));
            for (int field = 0; field < ClassSize; field += 8)
            {
                if (TableOf(memory, ProbeTypes.Run[0], field) == 0) continue;
                if (TableOf(memory, ProbeTypes.Idle[0], field) == 0) continue;
                for (int offset = FirstByte; offset < LastByte; offset++) yield return new MonoInitFlag(field, offset);
            }
        }

        public bool IsSet(OwnMemory memory, Type type)
        {
            byte value;
            long table = TableOf(memory, type, field);
            return table != 0 && memory.Byte(table + offset, out value) && value == 1;
        }

        internal static IntPtr ClassOf(Type type)
        {
            return mono_class_from_mono_type(type.TypeHandle.Value);
        }

        static long TableOf(OwnMemory memory, Type type, int field)
        {
            long ofClass = (long)ClassOf(type);
            long tables;
            long table;
            long owner;
            int domain = AppDomain.CurrentDomain.Id;
            if (!memory.Word(ofClass + field, out tables) || (tables & 7) != 0) return 0;
            long last;
            if (!memory.Word(tables, out last) || (last & 0xffff) < domain) return 0;
            if (!memory.Word(tables + 8 + 8 * domain, out table) || (table & 7) != 0) return 0;
            return memory.Word(table, out owner) && owner == ofClass ? table : 0;
        }

        [DllImport("__Internal")]
        static extern IntPtr mono_domain_get();

        [DllImport("__Internal")]
        static extern IntPtr mono_class_from_mono_type(IntPtr type);

        [DllImport("__Internal")]
        static extern IntPtr mono_class_vtable(IntPtr domain, IntPtr ofClass);
    }
}
