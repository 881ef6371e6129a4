using System;

namespace Substrate.Read
{
    // Well-known libraries, by the beginning of their assemblies' names. Their objects say little of an app.
    static class Libraries
    {
        static readonly string[] framework =
        {
            "System", "Microsoft", "mscorlib", "netstandard", "Mono", "WindowsBase", "PresentationCore",
            "PresentationFramework", "PresentationUI", "ReachFramework", "UIAutomationClient",
            "UIAutomationProvider", "UIAutomationTypes", "WindowsFormsIntegration", "DirectWriteForwarder",
            "Accessibility", "I18N", "SMDiagnostics", "cscompmgd", "CustomMarshalers", "WinRT", "FSharp",
        };

        static readonly string[] projects =
        {
            "Newtonsoft", "Serilog", "NLog", "log4net", "AutoMapper", "Castle", "Autofac", "Dapper", "Polly", "Grpc",
            "Google", "StackExchange", "EntityFramework", "Npgsql", "MySql", "MySqlConnector", "MongoDB", "RabbitMQ",
            "MassTransit", "MediatR", "FluentValidation", "FluentAssertions", "NHibernate", "Remotion", "Antlr",
            "Antlr3", "Antlr4", "Ninject", "SimpleInjector", "StructureMap", "Lamar", "DryIoc", "LightInject",
            "Unity", "Hangfire", "Quartz", "Topshelf", "RestSharp", "Refit", "Flurl", "Humanizer", "NodaTime",
            "MessagePack", "protobuf-net", "YamlDotNet", "CsvHelper", "EPPlus", "ClosedXML", "DocumentFormat",
            "ICSharpCode", "SharpCompress", "SharpZipLib", "BouncyCastle", "HtmlAgilityPack", "AngleSharp", "Moq",
            "NSubstitute", "xunit", "nunit", "MSTest", "BenchmarkDotNet", "OpenTelemetry", "Prometheus", "Azure",
            "AWSSDK", "Amazon", "IdentityServer4", "IdentityModel", "Duende", "Swashbuckle", "NSwag", "HotChocolate",
            "GraphQL", "Orleans", "Akka", "Proto", "Rebus", "NServiceBus", "Confluent", "ServiceStack", "Avalonia",
            "SkiaSharp", "HarfBuzzSharp", "ReactiveUI", "DynamicData", "Splat", "Prism", "CommunityToolkit",
            "MahApps", "MaterialDesignThemes", "Caliburn", "MvvmLight", "SQLitePCLRaw", "SQLite-net", "LiteDB",
            "Dommel", "Nito", "Nerdbank", "StreamJsonRpc", "MimeKit", "MailKit", "SixLabors", "Magick", "OpenTK",
            "Silk", "MonoGame", "Gtk", "GtkSharp", "Gdk", "GLib", "Pango", "Cairo", "Atk", "GioSharp", "Scrutor",
            "Ardalis", "Spectre", "CommandLine", "McMaster", "Jint", "IronPython", "Roslyn", "DiffPlex", "Markdig",
            "Scriban", "Stateless", "Sentry", "Elastic", "Elasticsearch", "Nest", "Lucene", "Cassandra", "Couchbase",
            "Raven", "Marten", "Weasel", "ExCSS", "Handlebars",
        };

        // Houses of many projects: only the project that the app is counts as the app.
        static readonly string[] houses = { "System", "Microsoft", "Mono", "Google", "Azure", "Amazon" };

        // What starts other programs, and is none itself.
        static readonly string[] hosts = { "testhost", "dotnet", "ReSharperTestRunner", "w3wp", "iisexpress" };

        internal static Owner OwnerOf(string assembly)
        {
            int dot = assembly.IndexOf('.');
            string first = dot < 0 ? assembly : assembly.Substring(0, dot);
            if (Has(framework, first)) return Owner.Framework;
            // A library of one word is called like that, and so may an app be: `Unity`, `Moq`.
            bool isPart = dot > 0 || first.Length > 5;
            return isPart && Has(projects, first) ? Owner.Library : Owner.App;
        }

        internal static bool IsHouse(string first)
        {
            return Has(houses, first);
        }

        internal static bool IsHost(string entry)
        {
            return Has(hosts, entry);
        }

        static bool Has(string[] names, string name)
        {
            foreach (string one in names) if (string.Equals(one, name, StringComparison.OrdinalIgnoreCase)) return true;
            return false;
        }
    }
}
