using System;
using System.Collections.Generic;
using System.Reflection;

namespace Substrate.Roots
{
    // The handlers of process exit, assembly load and Ctrl+C.
    static class EventHandlers
    {
        const string Origin = "event handler";
        const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        static readonly string[] Raisers =
        {
            "System.AppDomain", "System.AppContext", "System.Runtime.Loader.AssemblyLoadContext",
            "System.Threading.Tasks.TaskScheduler", "System.Console", "System.ConsolePal",
        };
        static readonly string[] Places = { "mscorlib", "System.Private.CoreLib", "System.Console" };

        internal static void StartAll(OwnMemory memory, HeldObjects held)
        {
            foreach (FieldInfo field in typeof(AppDomain).GetFields(BindingFlags.Instance | All))
                if (IsHandler(field)) held.Start(FieldAccess.Value(field, AppDomain.CurrentDomain), Origin);
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                if (assembly.IsDynamic || Array.IndexOf(Places, assembly.GetName().Name) < 0) continue;
                foreach (string name in Raisers) OfType(memory, held, assembly.GetType(name, false));
                Type signals = assembly.GetType("System.Runtime.InteropServices.PosixSignalRegistration", false);
                held.Start(Signals(memory, signals), Origin);
            }
        }

        static void OfType(OwnMemory memory, HeldObjects held, Type type)
        {
            if (type == null || !Initialisers.HaveRun(memory, type)) return;
            foreach (FieldInfo field in type.GetFields(BindingFlags.Static | All))
                if (IsHandler(field)) held.Start(FieldAccess.Value(field, null), Origin);
        }

        static object[] Signals(OwnMemory memory, Type type)
        {
            object registered = FieldAccess.GetStatic(memory, type, "s_registrations");
            var handlers = new List<object>();
            foreach (object ofSignal in Entries.ValuesOf(registered))
                foreach (object token in Entries.ValuesOf(ofSignal))
                    handlers.Add(FieldAccess.Get(token, "<Handler>k__BackingField"));
            return handlers.ToArray();
        }

        static bool IsHandler(FieldInfo field)
        {
            return typeof(Delegate).IsAssignableFrom(field.FieldType);
        }
    }
}
