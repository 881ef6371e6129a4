using System;
using System.Collections.Generic;
using Substrate.Roots;

namespace Substrate.Hosts
{
    // The hosts of this program, generic ones and web servers: the name, addresses and routes of each. They are
    // recognised by the services that the containers have made; a program without containers has no hosts.
    sealed class HostFinder : TimedFinder
    {
        readonly HeldRoots held;
        List<KnownHost> known = new List<KnownHost>();

        // `held` may have found containers that the library itself does not list.
        internal HostFinder(HeldRoots held)
        {
            this.held = held;
        }

        protected override void Search(bool fresh)
        {
            var running = new List<KnownHost>();
            foreach (Host host in Hosts())
            {
                KnownHost same = known.Find(one => one.Is(host)) ?? new KnownHost(host);
                same.Update(host);
                running.Add(same);
            }
            known = running;
            Found = running.ConvertAll(host => host.Found);
        }

        List<Host> Hosts()
        {
            var hosts = new List<Host>();
            foreach (object container in Containers())
            {
                if (ServiceContainer.IsDisposed(container)) continue;
                var host = new Host();
                host.Take(ServiceContainer.Made(container));
                // The service may not have been requested yet.
                if (host.Environment == null) host.Take(ServiceContainer.Given(container));
                if (host.Environment == null) continue;
                Host same = hosts.Find(one => ReferenceEquals(one.Environment, host.Environment));
                if (same == null) hosts.Add(host);
                else same.Take(host);
            }
            // Services without a lifetime are a temporary copy.
            hosts.RemoveAll(host => host.Lifetime == null || host.IsStopped);
            return hosts;
        }

        ICollection<object> Containers()
        {
            var all = new Dictionary<object, bool>(Identity.Instance);
            foreach (object container in ServiceContainer.Listed()) all[container] = true;
            foreach (WeakReference met in held.Containers)
            {
                object container = met.Target;
                if (container != null) all[container] = true;
            }
            return all.Keys;
        }
    }
}
