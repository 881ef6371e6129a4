using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using Substrate.Hosts;
using Substrate.Meta;
using Substrate.Read;
using Substrate.State;

namespace Substrate.Roots
{
    // The services of the app that Microsoft's container has made already. None is made by looking.
    sealed class Services : IFinder
    {
        const string Library = "Microsoft.Extensions.DependencyInjection";
        const string Hosting = "Microsoft.Extensions.Hosting.Internal";
        const int LookAgainMs = 1000;
        readonly HeldRoots held;
        readonly Stopwatch sinceLook = new Stopwatch();
        List<RootCandidate> found = new List<RootCandidate>();

        // `held` may have met containers that the library itself does not list.
        internal Services(HeldRoots held)
        {
            this.held = held;
        }

        internal static bool IsContainer(Type type)
        {
            return ServiceContainer.Is(type);
        }

        public IEnumerable<RootCandidate> Find(bool fresh)
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

        List<RootCandidate> Look(bool fresh)
        {
            var services = new Dictionary<object, bool>(Identity.Instance);
            held.Refresh(fresh);
            List<object> containers = AllListed();
            List<object> met = held.Containers.ConvertAll(one => one.Target).FindAll(one => one != null);
            foreach (object one in met) if (!containers.Contains(one)) containers.Add(one);
            List<object> ofHosts = containers.FindAll(one => MadeBy(one).Exists(IsOfHost));
            if (ofHosts.Count > 0) ofHosts.AddRange(met.FindAll(one => !ofHosts.Contains(one)));
            foreach (object container in ofHosts.Count > 0 ? ofHosts : containers)
                foreach (object service in MadeBy(container)) Take(service, services);
            var all = new List<RootCandidate>();
            foreach (object service in services.Keys)
                all.Add(RootCandidate.Object("service", service.GetType(), null, null, service));
            all.Sort((left, right) => string.CompareOrdinal(NameOf(left), NameOf(right)));
            return all;
        }

        // `cartService` for CartService; `URLBook` stays.
        static string NameOf(RootCandidate service)
        {
            string name = Noise.SimpleName(service.Target.GetType());
            return name.Length > 1 && char.IsUpper(name[1]) ? name : char.ToLowerInvariant(name[0]) + name.Substring(1);
        }

        static List<object> AllListed()
        {
            var all = new List<object>();
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                if (assembly.IsDynamic || Frameworks.NameOf(assembly) != Library) continue;
                using (OwnMemory memory = Initialisers.Open()) all.AddRange(Listed(memory, assembly));
            }
            return all;
        }

        // The library keeps a list for those who trace events: since version 6.
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

        // An app may make containers in passing, to set up the one of its host: what those made is there until the next
        // garbage collection, but is no state of the app.
        static bool IsOfHost(object service)
        {
            return (service.GetType().Namespace ?? "").StartsWith(Hosting, StringComparison.Ordinal);
        }

        static List<object> MadeBy(object container)
        {
            var services = new List<object>();
            if (true.Equals(FieldAccess.Get(container, "_disposed"))) return services;
            object engine = FieldAccess.Get(container, "_engine") ?? container;
            object root = FieldAccess.Get(container, "<Root>k__BackingField")
                ?? FieldAccess.Get(engine, "<Root>k__BackingField", "_root");
            object made = FieldAccess.Get(root, "<ResolvedServices>k__BackingField", "_resolvedServices");
            services.AddRange(Entries.ValuesOf(made));
            object factory = FieldAccess.Get(container, "<CallSiteFactory>k__BackingField")
                ?? FieldAccess.Get(engine, "<CallSiteFactory>k__BackingField");
            foreach (object site in Entries.ValuesOf(FieldAccess.Get(factory, "_callSiteCache")))
            {
                object service = FieldAccess.Get(site, "<Value>k__BackingField", "_value",
                    "<DefaultValue>k__BackingField");
                if (service != null) services.Add(service);
            }
            return services;
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
