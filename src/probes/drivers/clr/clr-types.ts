/** Reads from the names of .NET types and assemblies how a root is called, whose code a type is, and which rules apply. */
import type { RootTraits } from '../../insight/roots/root-catalog.ts';
import type { TypeNames } from '../../insight/roots/root-names.ts';
import { list, type WalkRules, walkRules } from '../../insight/walk-rules.ts';

const TYPE_NAMES: TypeNames = {
  /** `Store` for `Shop.Outer+Store`; without the number of type parameters. */
  simple: (type) => partsOf(type).at(-1) ?? type,
  /** `Outer_Store` for a nested type, else `Sales_Store` by the last part of the namespace. */
  withOuter(type) {
    const [outer, own] = partsOf(type).slice(-2);
    return own === undefined ? null : `${outer}_${own}`;
  },
};

/** `Shop.Sales.Outer+Store`2[[…]]` has four parts. */
function partsOf(type: string): string[] {
  return type
    .replace(/\[.*$/, '')
    .split(/[.+]/)
    .map((part) => part.replace(/(?<=.)`.*$/, ''));
}

export const CLR_ROOTS: RootTraits = { types: TYPE_NAMES, reserved: [] };

/** First words of the names of assemblies. */
const FRAMEWORKS = list(
  'System Microsoft mscorlib netstandard Mono WindowsBase PresentationCore PresentationFramework PresentationUI',
  'ReachFramework UIAutomationClient UIAutomationProvider UIAutomationTypes WindowsFormsIntegration',
  'DirectWriteForwarder Accessibility I18N SMDiagnostics cscompmgd CustomMarshalers WinRT FSharp',
);

const LIBRARIES = list(
  'Newtonsoft Serilog NLog log4net AutoMapper Castle Autofac Dapper Polly Grpc Google StackExchange',
  'EntityFramework Npgsql MySql MySqlConnector MongoDB RabbitMQ MassTransit MediatR FluentValidation',
  'FluentAssertions NHibernate Remotion Antlr Antlr3 Antlr4 Ninject SimpleInjector StructureMap Lamar DryIoc',
  'LightInject Unity Hangfire Quartz Topshelf RestSharp Refit Flurl Humanizer NodaTime MessagePack protobuf-net',
  'YamlDotNet CsvHelper EPPlus ClosedXML DocumentFormat ICSharpCode SharpCompress SharpZipLib BouncyCastle',
  'HtmlAgilityPack AngleSharp Moq NSubstitute xunit nunit MSTest BenchmarkDotNet OpenTelemetry Prometheus Azure',
  'AWSSDK Amazon IdentityServer4 IdentityModel Duende Swashbuckle NSwag HotChocolate GraphQL Orleans Akka Proto',
  'Rebus NServiceBus Confluent ServiceStack Avalonia SkiaSharp HarfBuzzSharp ReactiveUI DynamicData Splat Prism',
  'CommunityToolkit MahApps MaterialDesignThemes Caliburn MvvmLight SQLitePCLRaw SQLite-net LiteDB Dommel Nito',
  'Nerdbank StreamJsonRpc MimeKit MailKit SixLabors Magick OpenTK Silk MonoGame Gtk GtkSharp Gdk GLib Pango',
  'Cairo Atk GioSharp Scrutor Ardalis Spectre CommandLine McMaster Jint IronPython Roslyn DiffPlex Markdig',
  'Scriban Stateless Sentry Elastic Elasticsearch Nest Lucene Cassandra Couchbase Raven Marten Weasel ExCSS',
  'Handlebars',
);

/** Organisations with many projects: of these, only the project that was started counts as the app. */
const HOUSES = list('System Microsoft Mono Google Azure Amazon');

/** Programs that only start other programs. */
const HOSTS = list('testhost dotnet ReSharperTestRunner w3wp iisexpress');

/** Namespaces and types of the framework that lead to no state, or to too many objects that are none. */
const DEAD_ENDS = list(
  'System.Reflection System.Globalization System.Text System.IO System.Resources System.Security',
  'System.Diagnostics System.Runtime.InteropServices System.Runtime.Serialization System.Buffers',
  'System.Linq.Expressions System.Xml System.Configuration System.Drawing System.Windows System.Data',
  'Microsoft.Win32 Microsoft.CodeAnalysis Microsoft.Extensions.Logging Microsoft.Extensions.Configuration',
  'Microsoft.Extensions.Primitives Microsoft.AspNetCore.Mvc Microsoft.AspNetCore.Routing Mono System.AppDomain',
  'System.Threading.ExecutionContext System.Threading.ThreadPool System.Threading.PortableThreadPool',
  'System.Threading.ThreadPoolWorkQueue System.Threading.InternalThread System.MonoAsyncCall',
);

const MACHINERY = list(
  'System.Delegate System.IO.Stream System.IO.TextReader System.IO.TextWriter System.Threading.WaitHandle',
  'System.Attribute System.Reflection.MemberInfo System.Reflection.Assembly System.Text.Encoding',
);

const PLAIN_DATA = list(
  'System.Tuple`* System.ValueTuple`* System.Drawing.Point System.Drawing.PointF System.Drawing.Size',
  'System.Drawing.SizeF System.Drawing.Rectangle System.Drawing.RectangleF System.Numerics.Vector2',
  'System.Numerics.Vector3 System.Numerics.Vector4 System.Numerics.Quaternion System.Numerics.Complex',
  'System.Windows.Point System.Windows.Size System.Windows.Rect System.Windows.Vector',
);

const DATA_INTERFACES = list('System.IComparable !*Compar* !*Enumerator* System.Collections*');

const SHARED_EMPTIES = list('System.Collections.Immutable.*');

/** The rules for a program that this assembly started; null if it is not known. */
export function clrRules(entry: string | null): WalkRules {
  return walkRules({
    owners: {
      frameworks: FRAMEWORKS,
      libraries: LIBRARIES,
      deadEnds: DEAD_ENDS,
      proxies: [],
      own: entry === null || entry === '' ? null : ownNames(entry),
    },
    // The agent reads the names of compilers: `<Title>k__BackingField` is Title.
    noiseFields: [],
    machinery: MACHINERY,
    plainData: PLAIN_DATA,
    dataInterfaces: DATA_INTERFACES,
    sharedEmpties: SHARED_EMPTIES,
  });
}

/** The prefix of the app's own assemblies: `Contoso` for Contoso.Shop.Web; with an organisation `Microsoft.PowerBI`. */
function ownNames(entry: string): string | null {
  const has = (names: readonly string[], name: string) =>
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  if (has(HOSTS, entry)) return null;
  const [first = '', ...rest] = entry.split('.');
  return [first, ...rest.slice(0, has(HOUSES, first) ? 1 : 0)].join('.');
}
