using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Substrate.Roots
{
    // Its message is written by the agent.
    sealed class HeapFailure : Exception
    {
        internal HeapFailure(string message) : base(message) { }
    }

    // The library native/heap.c, which is attached to a .NET program as its profiler; on Mono it is only opened.
    sealed class HeapLibrary : IDisposable
    {
        const int MaxItems = 120000;
        // The items are on the stack there.
        const int MaxItemsOfMono = 8000;
        const int Now = 2;
        readonly IntPtr library;
        readonly ScanCall scan;
        readonly DetachCall detach;
        readonly bool isMono;

        // The same layout as in the library.
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
        delegate int ScanCall(ref Request request);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate int DetachCall();

        internal HeapLibrary(string path, bool isMono)
        {
            this.isMono = isMono;
            library = dlopen(path, Now);
            if (library == IntPtr.Zero)
                throw new HeapFailure("the library for the heap cannot be opened");
            scan = (ScanCall)Function(isMono ? "substrate_scan_mono" : "substrate_scan", typeof(ScanCall));
            detach = (DetachCall)Function("substrate_detach", typeof(DetachCall));
        }

        // Items with weak handles, which the caller frees; `classes` ascending.
        internal List<Item> Scan(IntPtr[] classes)
        {
            return isMono ? ScanOnStack(classes) : ScanOutside(classes);
        }

        unsafe List<Item> ScanOutside(IntPtr[] classes)
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

        // An object does not move while it is on this stack.
        unsafe List<Item> ScanOnStack(IntPtr[] classes)
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
                int status = scan(ref request);
                if (status < 0)
                    throw new HeapFailure("the runtime refused the scan: 0x" + status.ToString("x8"));
                return request.Count;
            }
        }

        // Frees the program's place for a profiler. The runtime keeps the library until the detach is complete.
        public void Dispose()
        {
            // Mono keeps a reference to the library from now on, even if it does not call it.
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
