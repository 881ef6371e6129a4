using System;
using System.Collections.Generic;
using Substrate.Read;
using Substrate.Roots;

namespace Substrate.Hosts
{
    // The routes of a web server, as far as the server knows them already: it finds controllers and pages with its
    // first request. Reading does not trigger that.
    sealed class Routes
    {
        const int Max = 200;
        const int MaxMethods = 20;
        const int MaxDepth = 8;
        const string PatternField = "<RoutePattern>k__BackingField";
        const string MetadataField = "<Metadata>k__BackingField";
        readonly List<object> shown = new List<object>();
        // Includes the routes that are not shown.
        internal int Count { get; private set; }

        internal Routes(object routeOptions)
        {
            All(FieldAccess.Get(routeOptions, "_endpointDataSources"), "", 0);
        }

        internal object[] Shown
        {
            get { return shown.ToArray(); }
        }

        void All(object sources, string prefix, int depth)
        {
            if (depth > MaxDepth) return;
            foreach (object source in Entries.ValuesOf(FieldAccess.Get(sources, "items") ?? sources))
                OfSource(source, prefix, depth);
        }

        void OfSource(object source, string prefix, int depth)
        {
            object group = FieldAccess.Get(source, "_routeGroupBuilder");
            if (group != null)
            {
                string inner = Text(FieldAccess.Get(group, "_partialPrefix"));
                All(FieldAccess.Get(group, "_dataSources"), Joined(prefix, inner), depth + 1);
                return;
            }
            object entries = FieldAccess.Get(source, "_routeEntries");
            object builders = FieldAccess.Get(source, "_endpointConventionBuilders");
            object endpoints = FieldAccess.Get(source, "_endpoints");
            foreach (object entry in Entries.ValuesOf(entries))
                Add(prefix, entry, FieldAccess.Get(entry, "<HttpMethods>k__BackingField"));
            foreach (object builder in Entries.ValuesOf(builders)) AddBuilder(prefix, builder);
            foreach (object endpoint in Entries.ValuesOf(endpoints))
                Add(prefix, endpoint, Methods(FieldAccess.Get(endpoint, MetadataField)));
            if (endpoints == null) All(FieldAccess.Get(source, "_dataSources"), prefix, depth + 1);
        }

        // In versions 3 to 6 the methods are added when the endpoint is built, by a convention that holds them till
        // then.
        void AddBuilder(string prefix, object builder)
        {
            object endpoint = FieldAccess.Get(builder, "<EndpointBuilder>k__BackingField");
            object methods = Methods(FieldAccess.Get(endpoint, MetadataField));
            foreach (object one in Entries.ValuesOf(FieldAccess.Get(builder, "_conventions")))
            {
                var convention = one as Delegate;
                if (convention == null || methods != null) continue;
                methods = Methods(FieldAccess.Get(convention.Target, "items"));
            }
            Add(prefix, endpoint, methods);
        }

        static object Methods(object metadata)
        {
            foreach (object item in Entries.ValuesOf(metadata))
                if (item.GetType().FullName == "Microsoft.AspNetCore.Routing.HttpMethodMetadata")
                    return FieldAccess.Get(item, "<HttpMethods>k__BackingField");
            return null;
        }

        void Add(string prefix, object route, object methods)
        {
            object pattern = FieldAccess.Get(route, PatternField);
            if (pattern == null || ++Count > Max) return;
            string[] names = Array.ConvertAll(TextList.In(methods, MaxMethods), name => (string)name);
            shown.Add(new Record().Put("pattern", Joined(prefix, Text(pattern)))
                .Put("methods", names.Length == 0 ? "any" : string.Join(", ", names)));
        }

        static string Text(object pattern)
        {
            return FieldAccess.Get(pattern, "<RawText>k__BackingField") as string ?? "";
        }

        static string Joined(string prefix, string inner)
        {
            return prefix.Length == 0 ? inner : prefix.TrimEnd('/') + '/' + inner.TrimStart('/');
        }
    }

    // Texts in a collection of the framework.
    static class TextList
    {
        internal static object[] In(object collection, int max)
        {
            var texts = new List<object>();
            foreach (object one in Entries.ValuesOf(collection))
                if (one is string && texts.Count < max) texts.Add(one);
            return texts.ToArray();
        }
    }
}
