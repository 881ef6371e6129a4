using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Health;
using Substrate.Roots;

namespace Substrate.Hosts
{
    // A container of Microsoft's library, read by its fields in versions 3 to 10.
    static class ServiceContainer
    {
        const string Library = "Microsoft.Extensions.DependencyInjection";

        // Up to version 5 an engine holds the services; sometimes only the engine can be found.
        internal static bool Is(Type type)
        {
            string name = type.FullName;
            if (name == null || !name.StartsWith(Library, StringComparison.Ordinal)) return false;
            return name == Library + ".ServiceProvider" || name.EndsWith("ServiceProviderEngine",
                StringComparison.Ordinal) && Read.Accessor.Find(type, "<Root>k__BackingField") != null;
        }

        // The containers in the library's list for event tracing, since version 6. Some of them are temporary, and the
        // app does not use them any more.
        internal static List<object> Listed()
        {
            var all = new List<object>();
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                if (assembly.IsDynamic || !IsLibrary(assembly)) continue;
                using (OwnMemory memory = Initialisers.Open()) AddListed(memory, assembly, all);
            }
            return all;
        }

        static bool IsLibrary(Assembly assembly)
        {
            string name = assembly.FullName;
            return name != null && name.StartsWith(Library + ",", StringComparison.Ordinal);
        }

        static void AddListed(OwnMemory memory, Assembly assembly, List<object> all)
        {
            Type source = assembly.GetType(Library + ".DependencyInjectionEventSource", false);
            object log = FieldAccess.GetStatic(memory, source, "Log");
            foreach (object reference in Entries.ValuesOf(FieldAccess.Get(log, "_providers")))
            {
                MethodInfo ask = reference.GetType().GetMethod("TryGetTarget");
                var answer = new object[1];
                if (ask != null && (bool)ask.Invoke(reference, answer)) all.Add(answer[0]);
            }
        }

        // The services that were requested; several of one kind are an array. Some come twice.
        internal static List<object> Made(object container)
        {
            object root = FieldAccess.Get(container, "<Root>k__BackingField")
                ?? FieldAccess.Get(Engine(container), "<Root>k__BackingField", "_root");
            object resolved = FieldAccess.Get(root, "<ResolvedServices>k__BackingField", "_resolvedServices");
            object sites = FieldAccess.Get(Factory(container), "_callSiteCache");
            if (resolved == null && sites == null)
                Parts.Miss("services", Library + " is of an unknown version: services that only it holds are not found");
            List<object> made = Entries.ValuesOf(resolved);
            foreach (object site in Entries.ValuesOf(sites))
            {
                object value = FieldAccess.Get(site, "<Value>k__BackingField", "_value",
                    "<DefaultValue>k__BackingField");
                if (value != null) made.Add(value);
            }
            return made;
        }

        // The services that existed before the container, requested or not.
        internal static List<object> Given(object container)
        {
            var given = new List<object>();
            foreach (object described in Entries.ValuesOf(FieldAccess.Get(Factory(container), "_descriptors")))
            {
                object instance = FieldAccess.Get(described, "_implementationInstance",
                    "<ImplementationInstance>k__BackingField");
                if (instance != null) given.Add(instance);
            }
            return given;
        }

        internal static bool IsDisposed(object container)
        {
            object isDisposed = FieldAccess.Get(container, "_disposed")
                ?? FieldAccess.Get(Engine(container), "_disposed");
            return isDisposed is bool && (bool)isDisposed;
        }

        static object Factory(object container)
        {
            const string Name = "<CallSiteFactory>k__BackingField";
            return FieldAccess.Get(container, Name) ?? FieldAccess.Get(Engine(container), Name);
        }

        static object Engine(object container)
        {
            return FieldAccess.Get(container, "_engine") ?? container;
        }
    }
}
