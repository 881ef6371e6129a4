using System;
using System.Collections.Generic;
using System.Threading;
using Substrate.Roots;

namespace Substrate.Hosts
{
    // The framework's objects of one host, as its containers have made them. It holds them, so it lives for one search
    // only.
    sealed class Host
    {
        const string Extensions = "Microsoft.Extensions.Hosting.";
        const string Web = "Microsoft.AspNetCore.";
        // Identifies a host; null if these are no services of a host.
        internal object Environment { get; private set; }
        internal object Lifetime { get; private set; }
        internal object Server { get; private set; }
        internal Array HostedServices { get; private set; }
        internal object RouteOptions { get; private set; }

        internal void Take(List<object> services)
        {
            foreach (object service in services) Take(service, service.GetType());
        }

        // Adds the services of the same host: a web host of the older kind has two containers.
        internal void Take(Host other)
        {
            Lifetime = Lifetime ?? other.Lifetime;
            Server = Server ?? other.Server;
            HostedServices = HostedServices ?? other.HostedServices;
            RouteOptions = RouteOptions ?? other.RouteOptions;
        }

        // Null if it is not known.
        internal object IsStarted
        {
            get { return IsOver("_startedSource"); }
        }

        internal object IsStopping
        {
            get { return IsOver("_stoppingSource"); }
        }

        internal bool IsStopped
        {
            get { return IsOver("_stoppedSource") as bool? ?? false; }
        }

        object IsOver(string source)
        {
            var token = FieldAccess.Get(Lifetime, source) as CancellationTokenSource;
            return token == null ? null : (object)token.IsCancellationRequested;
        }

        void Take(object service, Type type)
        {
            if (type.IsArray)
            {
                if (type.GetElementType().FullName == Extensions + "IHostedService") HostedServices = (Array)service;
                return;
            }
            switch (type.FullName)
            {
                case Extensions + "Internal.HostingEnvironment":
                    Environment = service;
                    return;
                case Web + "Hosting.HostingEnvironment":
                    Environment = Environment ?? service;
                    return;
                case Extensions + "Internal.ApplicationLifetime":
                case Web + "Hosting.ApplicationLifetime":
                    Lifetime = service;
                    return;
            }
            if (IsOptionsOf(type, Web + "Routing.RouteOptions"))
                RouteOptions = RouteOptions ?? OptionsIn(service);
            else if (type.GetInterface(Web + "Hosting.Server.IServer") != null) Server = service;
        }

        static bool IsOptionsOf(Type type, string options)
        {
            return type.IsGenericType && type.Name.EndsWith("OptionsManager`1", StringComparison.Ordinal)
                && type.GetGenericArguments()[0].FullName == options;
        }

        // Null if nobody has requested them yet.
        static object OptionsIn(object manager)
        {
            object value = FieldAccess.Get(manager, "_value");
            if (value != null) return value;
            foreach (object lazy in Entries.ValuesOf(FieldAccess.Get(FieldAccess.Get(manager, "_cache"), "_cache")))
                // The state is cleared when the value is there.
                if (FieldAccess.Get(lazy, "_state") == null) return FieldAccess.Get(lazy, "_value");
            return null;
        }
    }
}
