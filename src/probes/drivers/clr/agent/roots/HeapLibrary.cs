using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Substrate.Roots
{
    // Its message is of our own words.
    sealed class HeapFailure : Exception
    {
        internal HeapFailure(string message) : base(message) { }
    }

    // The library native/heap.c, which is attached to a .NET program as its profiler; on Mono it is only opened.
    sealed class HeapLibrary : IDisposable
    {
        const int MaxItems = 120000;
        // They are on the stack there.
        const int MaxItemsOfMono = 8000;
        const int Now = 2;
        readonly IntPtr library;
        readonly LookCall look;
        readonly DetachCall detach;
        readonly bool isMono;

        // As the library has it.
        [StructLayout(LayoutKind.Sequential)]
        internal struct Item
        {
            internal IntPtr Handle;
            internal IntPtr Class;
            internal uint Token;
            internal uint Instances;
        }

        [StructLayout(LayoutKind.Sequential)]
        struct Request
        {
            internal IntPtr Classes;
            internal IntPtr Items;
            internal ulong Objects;
            internal int ClassCount;
            internal int Room;
            internal int Count;
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate int LookCall(ref Request request);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate int DetachCall();

        internal HeapLibrary(string path, bool isMono)
        {
            this.isMono = isMono;
            library = dlopen(path, Now);
            if (library == IntPtr.Zero)
                throw new HeapFailure("the library for the heap cannot be opened");
            look = (LookCall)Function(isMono ? "substrate_look_mono" : "substrate_look", typeof(LookCall));
            detach = (DetachCall)Function("substrate_detach", typeof(DetachCall));
        }

        // Items with weak handles, which whoever takes them frees; `classes` in rising order.
        internal List<Item> Look(IntPtr[] classes)
        {
            return isMono ? LookOnStack(classes) : LookOutside(classes);
        }

        unsafe List<Item> LookOutside(IntPtr[] classes)
        {
            IntPtr room = Marshal.AllocHGlobal(MaxItems * sizeof(Item));
            try
            {
                var items = new List<Item>();
                int count = Fill(classes, (Item*)room, MaxItems);
                for (int at = 0; at < count; at++) items.Add(((Item*)room)[at]);
                return items;
            }
            finally
            {
                Marshal.FreeHGlobal(room);
            }
        }

        // As long as it is on this stack an object stays where it is.
        unsafe List<Item> LookOnStack(IntPtr[] classes)
        {
            var items = new List<Item>();
            Item* room = stackalloc Item[MaxItemsOfMono];
            int count = Fill(classes, room, MaxItemsOfMono);
            for (int at = 0; at < count; at++)
            {
                Item item = room[at];
                item.Handle = (IntPtr)mono_gchandle_new_weakref(item.Handle, 0);
                items.Add(item);
            }
            return items;
        }

        unsafe int Fill(IntPtr[] classes, Item* room, int size)
        {
            fixed (IntPtr* first = classes)
            {
                var request = new Request
                {
                    Classes = (IntPtr)first, ClassCount = classes.Length, Items = (IntPtr)room, Room = size,
                };
                int told = look(ref request);
                if (told < 0)
                    throw new HeapFailure("the runtime refused the look: 0x" + told.ToString("x8"));
                return request.Count;
            }
        }

        // Leaves the program's place for a profiler to others. The runtime still has the library until it has let go.
        public void Dispose()
        {
            // Mono knows the library from now on, even if it does not call it.
            if (isMono) return;
            detach();
            dlclose(library);
        }

        Delegate Function(string name, Type type)
        {
            IntPtr address = dlsym(library, name);
            if (address == IntPtr.Zero) throw new HeapFailure("the library for the heap has no " + name);
            return Marshal.GetDelegateForFunctionPointer(address, type);
        }

        [DllImport("__Internal")]
        static extern uint mono_gchandle_new_weakref(IntPtr target, int tracksResurrection);

        [DllImport("libc")]
        static extern IntPtr dlopen(string path, int mode);

        [DllImport("libc")]
        static extern int dlclose(IntPtr library);

        [DllImport("libc")]
        static extern IntPtr dlsym(IntPtr library, string name);
    }
}
