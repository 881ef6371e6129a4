using System;
using System.Collections.Generic;
using Substrate.Read;
using Substrate.Roots;
using Substrate.State;

namespace Substrate.Hosts
{
    // A known host: it stays the same root, with its current facts.
    sealed class KnownHost
    {
        const int MaxUrls = 50;
        const int MaxHostedServices = 200;
        readonly WeakReference environment;
        readonly Record facts = new Record();
        internal readonly RootCandidate Found;

        internal KnownHost(Host host)
        {
            environment = new WeakReference(host.Environment);
            Found = RootCandidate.Made("host", "host", facts);
        }

        internal bool Is(Host host)
        {
            return ReferenceEquals(environment.Target, host.Environment);
        }

        internal void Update(Host host)
        {
            facts.Names.Clear();
            facts.Values.Clear();
            Put("application", FieldAccess.Get(host.Environment, "<ApplicationName>k__BackingField"));
            Put("environment", FieldAccess.Get(host.Environment, "<EnvironmentName>k__BackingField"));
            Put("content_root", FieldAccess.Get(host.Environment, "<ContentRootPath>k__BackingField"));
            Put("started", host.IsStarted);
            Put("stopping", host.IsStopping);
            if (host.Server != null) Put("urls", Urls(host.Server));
            if (host.HostedServices != null) Put("hosted_services", TypeNames(host.HostedServices));
            if (host.RouteOptions != null) PutRoutes(new Routes(host.RouteOptions));
        }

        void PutRoutes(Routes routes)
        {
            object[] shown = routes.Shown;
            Put("routes", shown);
            if (shown.Length < routes.Count) Put("route_count", routes.Count);
        }

        // A value that this version of the framework does not have is left out.
        void Put(string name, object value)
        {
            if (value != null) facts.Put(name, value);
        }

        // The addresses, once it listens: with the assigned port in place of port 0.
        static object[] Urls(object server)
        {
            object inner = FieldAccess.Get(server, "_innerKestrelServer") ?? server;
            object features = FieldAccess.Get(inner, "<Features>k__BackingField", "_features");
            foreach (object feature in Entries.ValuesOf(FieldAccess.Get(features, "_features")))
            {
                if (feature.GetType().Name != "ServerAddressesFeature") continue;
                object list = FieldAccess.Get(feature, "<Addresses>k__BackingField")
                    ?? FieldAccess.Get(FieldAccess.Get(feature, "<InternalCollection>k__BackingField"), "_addresses");
                return TextList.In(list, MaxUrls);
            }
            return null;
        }

        static object[] TypeNames(Array services)
        {
            var names = new List<object>();
            foreach (object service in Entries.ValuesOf(services))
                if (names.Count < MaxHostedServices) names.Add(SlotNames.OfType(service.GetType()));
            return names.ToArray();
        }
    }
}
