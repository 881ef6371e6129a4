using System;
using System.Collections.Generic;
using Substrate.Hosts;
using Substrate.Read;
using Substrate.State;

namespace Substrate.Roots
{
    // The services of the app that Microsoft's container has made already. The search makes none.
    sealed class Services : TimedFinder
    {
        const string Hosting = "Microsoft.Extensions.Hosting.Internal";
        readonly HeldRoots held;

        // `held` may have found containers that the library itself does not list.
        internal Services(HeldRoots held)
        {
            this.held = held;
        }

        protected override void Search(bool fresh)
        {
            var services = new Dictionary<object, bool>(Identity.Instance);
            held.Refresh(fresh);
            List<object> containers = ServiceContainer.Listed();
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
            Found = all;
        }

        // `cartService` for CartService; `URLBook` stays.
        static string NameOf(RootCandidate service)
        {
            string name = SlotNames.OfType(service.Target.GetType());
            return name.Length > 1 && char.IsUpper(name[1]) ? name : char.ToLowerInvariant(name[0]) + name.Substring(1);
        }

        // An app may make temporary containers, to set up that of its host: their services exist until the next garbage
        // collection, but are no state of the app.
        static bool IsOfHost(object service)
        {
            return (service.GetType().Namespace ?? "").StartsWith(Hosting, StringComparison.Ordinal);
        }

        static List<object> MadeBy(object container)
        {
            return ServiceContainer.IsDisposed(container) ? new List<object>() : ServiceContainer.Made(container);
        }

        static void Take(object service, Dictionary<object, bool> services)
        {
            var several = service as object[];
            if (several != null)
                foreach (object one in several) Take(one, services);
            else if (service != null && !(service is Delegate) && !service.GetType().IsValueType
                && Ownership.IsOfAppOrProxy(service.GetType())) services[service] = true;
        }
    }
}
