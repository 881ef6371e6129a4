using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using Substrate.State;

namespace Substrate.Roots
{
    /// <summary>The services of the app that Microsoft's container has made already. None is made by looking.</summary>
    sealed class Services : IFinder
    {
        const string Library = "Microsoft.Extensions.DependencyInjection";
        const int LookAgainMs = 1000;
        readonly HeldRoots held;
        readonly Stopwatch sinceLook = new Stopwatch();
        List<Found> found = new List<Found>();

        /// <summary>`held` may have met containers that the library itself does not list.</summary>
        internal Services(HeldRoots held)
        {
            this.held = held;
        }

        internal static bool IsContainer(Type type)
        {
            return type.FullName == Library + ".ServiceProvider";
        }

        public IEnumerable<Found> Find(bool fresh)
        {
            if (!fresh && sinceLook.IsRunning && sinceLook.ElapsedMilliseconds < LookAgainMs) return found;
            try
            {
                found = Look(fresh);
            }
            catch (Exception)
            {
                // What was found before stands.
            }
            sinceLook.Restart();
            return found;
        }

        List<Found> Look(bool fresh)
        {
            var services = new Dictionary<object, bool>(Identity.Instance);
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                if (assembly.IsDynamic || assembly.GetName().Name != Library) continue;
                using (OwnMemory memory = Initialisers.Open())
                    foreach (object container in Listed(memory, assembly)) Collect(container, services);
            }
            held.Refresh(fresh);
            foreach (WeakReference container in held.Containers) Collect(container.Target, services);
            var all = new List<Found>();
            foreach (object service in services.Keys)
            {
                Type type = service.GetType();
                all.Add(Found.Object(Wishes.Decapitalised(type), "service " + Wishes.Simple(type), service, true));
            }
            all.Sort((left, right) => string.CompareOrdinal(left.Wish, right.Wish));
            return all;
        }

        /// <summary>The library keeps a list for those who trace events: since version 6.</summary>
        static IEnumerable<object> Listed(OwnMemory memory, Assembly assembly)
        {
            Type source = assembly.GetType(Library + ".DependencyInjectionEventSource", false);
            object log = FieldAccess.GetStatic(memory, source, "Log");
            foreach (object reference in Entries.ValuesOf(FieldAccess.Get(log, "_providers")))
            {
                MethodInfo ask = reference.GetType().GetMethod("TryGetTarget");
                var answer = new object[1];
                if (ask != null && (bool)ask.Invoke(reference, answer)) yield return answer[0];
            }
        }

        static void Collect(object container, Dictionary<object, bool> services)
        {
            if (container == null) return;
            object engine = FieldAccess.Get(container, "_engine") ?? container;
            object root = FieldAccess.Get(container, "<Root>k__BackingField")
                ?? FieldAccess.Get(engine, "<Root>k__BackingField", "_root");
            object made = FieldAccess.Get(root, "<ResolvedServices>k__BackingField", "_resolvedServices");
            foreach (object service in Entries.ValuesOf(made)) Take(service, services);
            object factory = FieldAccess.Get(container, "<CallSiteFactory>k__BackingField")
                ?? FieldAccess.Get(engine, "<CallSiteFactory>k__BackingField");
            foreach (object site in Entries.ValuesOf(FieldAccess.Get(factory, "_callSiteCache")))
                Take(FieldAccess.Get(site, "<Value>k__BackingField", "_value"), services);
        }

        static void Take(object service, Dictionary<object, bool> services)
        {
            var several = service as object[];
            if (several != null)
                foreach (object one in several) Take(one, services);
            else if (service != null && !(service is Delegate) && !service.GetType().IsValueType
                && Owned.ByApp(service.GetType()) && !services.ContainsKey(service)) services.Add(service, true);
        }
    }
}
