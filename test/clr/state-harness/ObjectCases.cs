using System;
using System.Collections.Generic;
using System.Globalization;
using System.Security;
using System.Text;
using System.Threading.Tasks;

namespace Harness
{
    static class ObjectCases
    {
        [Flags]
        enum Rights : byte
        {
            None,
            Read = 1,
            Write = 2,
            All = 3,
            Admin = 8,
        }

        enum Large : ulong
        {
            Top = ulong.MaxValue,
        }

        sealed class Numbers
        {
            public sbyte Sbyte = -1;
            public byte Byte = 255;
            public short Short = -2;
            public ushort Ushort = 65535;
            public int Int = int.MinValue;
            public uint Uint = uint.MaxValue;
            public long Long = 9007199254740993L;
            public ulong Ulong = ulong.MaxValue;
            public float Float = 0.1f;
            public double Double = 1e300;
            public double Infinite = double.PositiveInfinity;
            public decimal Money = 12.50m;
            public decimal Huge = 79228162514264337593543950335m;
            public bool Flag = true;
            public char Letter = 'ß';
            public int? Some = 3;
            public int? None;
            public decimal? Price = 0.1m;
            public Rights Rights = Rights.Read | Rights.Admin;
            public Rights Both = Rights.All;
            public Rights Odd = (Rights)16;
            public Large Top = Large.Top;
            public Rights? Maybe = Rights.Write;
        }

        sealed class Times
        {
            public DateTime Utc = new DateTime(2024, 5, 17, 10, 30, 0, DateTimeKind.Utc);
            public DateTime Plain = new DateTime(2024, 5, 17, 10, 30, 0, 250);
            public DateTimeOffset Offset = new DateTimeOffset(2024, 5, 17, 10, 30, 0, TimeSpan.FromMinutes(-90));
            public TimeSpan Span = new TimeSpan(1, 2, 3, 4);
            public Guid Id = new Guid("0f8fad5b-d9cb-469f-a165-70867728950e");
            public DateTime? Never;
        }

        class Person
        {
            private string _name = "Ada";
            private int m_age = 36;
            private string hidden = "h";
            private string other = "o";
            private List<string> _tags = new List<string>();
            public string Title { get; set; }
            protected int Level = 1;
            public event EventHandler Changed;
            public static int Count = 5;
            public const int Constant = 6;

            public string Name
            {
                get { return _name; }
            }

            public int Age
            {
                get { return m_age; }
                set { m_age = value; }
            }

            public IReadOnlyList<string> Tags
            {
                get { return _tags; }
            }


            public string Other
            {
                get { return other + hidden; }
            }

            internal void Raise()
            {
                if (Changed != null) Changed(this, EventArgs.Empty);
            }
        }

        sealed class Employee : Person
        {
            private new int Level = 2;
            private Dictionary<string, int> scores;
            private IList<string> tags = null;
            private IComparer<int> comparer = null;
            private Action callback = () => { };
            private System.Threading.Timer timer = null;
            private IntPtr handle = new IntPtr(5);

            internal int Use()
            {
                callback();
                return Level + (scores == null ? 0 : 1) + (tags == null ? 0 : 1) + (comparer == null ? 0 : 1)
                    + (timer == null ? 0 : 1) + handle.ToInt32();
            }
        }

        sealed class Generic<T>
        {
            T _value;

            internal Generic(T value)
            {
                _value = value;
            }

            public T Value
            {
                get { return _value; }
            }
        }

        sealed class ShopException : Exception
        {
            public int Code = 7;

            internal ShopException(string message) : base(message) { }
        }

        sealed class ApiCredential
        {
            public string Secret = "s3cret";
        }

        sealed class Node
        {
            public string Name;
            public Node Next;
            public List<Node> All;
        }

        struct Place
        {
            public int Row;
            public Node Node;
        }

        sealed class Board
        {
            public Place Here = new Place { Row = 3 };
            public Place? There;
            public KeyValuePair<string, int> Pair = new KeyValuePair<string, int>("k", 1);
            public Tuple<int, string> Tuple = System.Tuple.Create(1, "one");
        }

        public static void Values()
        {
            Check.Shows(".Sbyte=-1 .Byte=255 .Short=-2 .Ushort=65535 .Int=-2147483648 .Uint=4294967295 "
                + ".Long=\"9007199254740993\" .Ulong=\"18446744073709551615\" .Float=0.1 .Double=1E+300 "
                + ".Infinite=\"Infinity\" .Money=12.50 .Huge=\"79228162514264337593543950335\" .Flag=true .Letter=\"ß\" .Some=3 "
                + ".None=null .Price=0.1 .Rights=\"Read, Admin\" .Both=\"All\" .Odd=\"16\" .Top=\"Top\" .Maybe=\"Write\"",
                new Numbers());
            Check.Shows(".Utc=\"2024-05-17T10:30:00Z\" .Plain=\"2024-05-17T10:30:00.25\" .Offset=\"2024-05-17T10:30:00-01:30\" "
                + ".Span=\"1.02:03:04\" .Id=\"0f8fad5b-d9cb-469f-a165-70867728950e\" .Never=null", new Times());
            Check.Shows("=\"1.2.3\"", new Version(1, 2, 3));
            Check.Shows("=\"http://example.com/a b\"", new Uri("http://example.com/a b"));
            Check.Shows("=\"System.String\"", typeof(string));
            Check.Shows("=\"de-DE\"", IsInvariant() ? (object)"de-DE" : new CultureInfo("de-DE"));
            Check.Shows("=\"{1, 3}\"", new System.Collections.BitArray(new[] { false, true, false, true }));
            Check.Shows("=\"System.InvalidOperationException: no\"", new InvalidOperationException("no"));
            Check.Shows(".message=\"closed\" .Code=7", new ShopException("closed"));
            Check.Shows("=5", 5);
            Check.Shows("=null", null);
        }

        static bool IsInvariant()
        {
            return Environment.GetEnvironmentVariable("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT") == "1";
        }

        public static void LongTexts()
        {
            Check.Shows("=\"" + new string('a', 4096) + "… [5000 characters]\"", new string('a', 5000));
            var builder = new StringBuilder();
            for (int at = 0; at < 3000; at++) builder.Append("ab");
            string expected = builder.ToString().Substring(0, 4064);
            Check.Shows("=\"" + expected + "… [6000 characters]\"", builder);
            Check.Shows("=\"héé\"", new StringBuilder("h").Append("é").Append("é"));
            Check.Shows("=\"\"", new StringBuilder());
        }

        public static void Names()
        {
            Check.Shows(".Name=\"Ada\" .Age=36 .hidden=\"h\" .other=\"o\" .Title=\"T\" .Level=1 .Tags.length=0", new Person { Title = "T" });
            var employee = new Employee();
            employee.Raise();
            employee.Use();
            Check.Shows(".Name=\"Ada\" .Age=36 .hidden=\"h\" .other=\"o\" .Title=null .Level=1 .Level_Employee=2 .scores=null .tags=null .Tags.length=0",
                employee);
            Check.Shows(".Value=5", new Generic<int>(5));
            Check.Shows(".Value=\"v\"", new Generic<string>("v"));
            Check.Shows(".Total=3 .Of=\"x\"", new { Total = 3, Of = "x" });
        }

        public static void Closures()
        {
            int count = 3;
            var names = new List<string> { "a" };
            Func<int> closure = () => count + names.Count;
            string shown = new Subject(100).Put("c", closure.Target).Text("c");
            Check.Same("closure", ".count=3 .names.length=1 .names[0]=\"a\"", shown);
            IEnumerator<int> iterator = Numbering(4).GetEnumerator();
            iterator.MoveNext();
            shown = new Subject(100).Put("c", iterator).Text("c");
            Check.That("iterator: " + shown, shown.Contains("limit=4") && !shown.Contains("state") && !shown.Contains("$"));
        }

        static IEnumerable<int> Numbering(int limit)
        {
            for (int at = 0; at < limit; at++) yield return at;
        }

        public static void Structs()
        {
            Check.Shows(".There=null .Here.Row=3 .Here.Node=null .Pair.key=\"k\" .Pair.value=1 .Tuple.Item1=1 .Tuple.Item2=\"one\"",
                new Board());
        }

        public static void Wrappers()
        {
            var lazy = new Lazy<int>(() => 5);
            Check.Shows("=null", lazy);
            int value = lazy.Value;
            Check.Shows("=" + value, lazy);
            Check.Shows(".state=\"done\" .result=4", Task.FromResult(4));
            Check.Shows(".state=\"pending\"", new TaskCompletionSource<string>().Task);
            var failed = new TaskCompletionSource<string>();
            failed.SetException(new InvalidOperationException("no"));
            Check.Shows(".state=\"failed\" .failure=\"System.InvalidOperationException: no\"", failed.Task);
            var cancelled = new TaskCompletionSource<int>();
            cancelled.SetCanceled();
            Check.Shows(".state=\"cancelled\"", cancelled.Task);
            Check.Shows("=\"s\"", new System.Runtime.CompilerServices.StrongBox<string>("s"));
            Check.Shows("", new WeakReference(new Node()));
            Check.Shows("", new System.Threading.SemaphoreSlim(1));
        }

        public static void Secrets()
        {
            var secure = new SecureString();
            secure.AppendChar('x');
            Check.Shows("=\"[a secret: SecureString]\"", secure);
            Check.Shows("=\"[a secret: ApiCredential]\"", new ApiCredential());
            Check.Shows("=\"[a secret: NetworkCredential]\"", new System.Net.NetworkCredential("u", "p"));
        }

        public static void References()
        {
            var node = new Node { Name = "a" };
            node.Next = new Node { Name = "b", Next = node };
            node.All = new List<Node> { node, node.Next };
            Check.Same("cycle", ".Name=\"a\" .Next.Name=\"b\" .Next.Next=\"[ref] n\" .Next.All=null .All.length=2 "
                + ".All[0]=\"[ref] n\" .All[1]=\"[ref] n.Next\"", new Subject(100).Put("n", node).Text("n"));
            var chain = new Node { Name = "0" };
            Node at = chain;
            for (int depth = 1; depth < 100; depth++) at = at.Next = new Node { Name = depth.ToString() };
            var deep = new Subject(1000).Put("n", chain);
            Check.That("deep levels are not read", deep.Text("n").Contains("\"[deeper levels are not read]\""));
        }

        public static void Statics()
        {
            Settings.Ready();
            string shown = new Subject(100).PutStatics(typeof(Settings)).Text("Settings");
            Check.Same("statics", ".visits=3 .Started=\"0001-01-01T00:00:00\" .names.length=1 .names[0]=\"n\"", shown);
        }

        static class Settings
        {
            public const string Version = "1";
            static int visits = 3;
            public static readonly int Limit = 5;
            public static readonly string Home = "/";
            public static readonly DateTime Started = new DateTime();
            static readonly List<string> names = new List<string> { "n" };
            [ThreadStatic]
            static int perThread = 1;

            internal static void Ready()
            {
                perThread = visits + Limit + names.Count;
            }
        }
    }
}
