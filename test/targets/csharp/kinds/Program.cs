using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Linq;
using System.Security;
using System.Threading;
using System.Threading.Tasks;

namespace Kinds
{
    [Flags]
    public enum Days { None = 0, Monday = 1, Tuesday = 2, Friday = 16 }

    public enum Mood { Calm, Stormy }

    public readonly struct Money
    {
        public Money(decimal amount, string currency)
        {
            Amount = amount;
            Currency = currency;
        }

        public decimal Amount { get; }
        public string Currency { get; }
    }

    public sealed class Person
    {
        private readonly string _name;
        private string m_nick = "Ace";
        public Person(string name) => _name = name;
        public string Name => _name;
        public string Nick => m_nick;
        public int? Age { get; set; } = 36;
        public int? Shoes { get; set; }
    }

    public sealed class Everything
    {
        public string Text { get; set; } = "plain";
        public char Letter { get; set; } = 'x';
        public long Large { get; set; } = long.MaxValue;
        public double Half { get; set; } = 0.5;
        public float Third { get; set; } = 0.25f;
        public decimal Price { get; set; } = 12.50m;
        public bool IsOpen { get; set; } = true;
        public Mood Mood { get; set; } = Mood.Stormy;
        public Days Days { get; set; } = Days.Monday | Days.Friday;
        public DateTime When { get; set; } = new DateTime(2024, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        public DateTimeOffset Offset { get; set; } = new DateTimeOffset(2024, 1, 2, 3, 4, 5, TimeSpan.FromHours(2));
        public TimeSpan Span { get; set; } = TimeSpan.FromMinutes(90);
        public Guid Id { get; set; } = new Guid("11111111-2222-3333-4444-555555555555");
        public Uri Home { get; set; } = new Uri("http://example.com/a?b=c");
        public Version Version { get; set; } = new Version(1, 2, 3);
        public (int Left, string Right) Pair { get; set; } = (1, "one");
        public Tuple<int, string> OldPair { get; set; } = Tuple.Create(2, "two");
        public Money Money { get; set; } = new Money(9.99m, "EUR");
        public object Anonymous { get; set; } = new { City = "Berlin", Zip = 10115 };
        public int[] Numbers { get; set; } = { 1, 2, 3 };
        public byte[] Bytes { get; set; } = new byte[5000];
        public List<Person> People { get; set; } = new List<Person> { new Person("Ada"), new Person("Grace") };
        public Dictionary<string, double> Rates { get; set; } = new Dictionary<string, double> { ["double"] = 2, ["odd key"] = 3 };
        public Dictionary<Mood, int> ByMood { get; set; } = new Dictionary<Mood, int> { [Mood.Calm] = 1 };
        public HashSet<string> Tags { get; set; } = new HashSet<string> { "red" };
        public SortedDictionary<string, int> Sorted { get; set; } = new SortedDictionary<string, int> { ["b"] = 2, ["a"] = 1 };
        public Queue<int> Queue { get; set; } = new Queue<int>(new[] { 5, 6 });
        public Stack<int> Stack { get; set; } = new Stack<int>(new[] { 7, 8 });
        public LinkedList<string> Linked { get; set; } = new LinkedList<string>(new[] { "first", "second" });
        public ConcurrentDictionary<string, int> Concurrent { get; set; } = new ConcurrentDictionary<string, int>(new[] { KeyValuePair.Create("k", 1) });
        public ConcurrentQueue<int> Waiting { get; set; } = new ConcurrentQueue<int>(new[] { 9 });
        public ReadOnlyCollection<int> ReadOnly { get; set; } = new ReadOnlyCollection<int>(new List<int> { 4 });
        public ObservableCollection<string> Observed { get; set; } = new ObservableCollection<string> { "seen" };
        public Lazy<string> Made { get; set; } = new Lazy<string>(() => "made");
        public Lazy<string> NotMade { get; set; } = new Lazy<string>(() => throw new InvalidOperationException());
        public string Password { get; set; } = "hunter2";
        public SecureString Hidden { get; set; } = Secret();
        public Person Friend { get; set; }
        public event EventHandler Changed;

        static SecureString Secret()
        {
            var secret = new SecureString();
            foreach (char letter in "swordfish") secret.AppendChar(letter);
            return secret;
        }

        public Everything()
        {
            _ = Made.Value;
            Friend = People[0];
            Changed += (sender, args) => { };
            Changed(this, EventArgs.Empty);
        }

        public decimal Sum(IEnumerable<decimal> numbers) => numbers.Sum();
        public int Count(params string[] words) => words.Length;
        public string Greet(Person person, string greeting = "Hello") => greeting + " " + person.Name;
        public int Tally(Dictionary<string, int> votes) => votes.Values.Sum();
        public Money Convert(Money money, string currency) => new Money(money.Amount * 2, currency);
        public Mood Cheer(Mood mood) => Mood = mood;
        public DateTime Later(TimeSpan by) => When = When + by;
        public async Task<string> Slow(int milliseconds, CancellationToken cancel)
        {
            await Task.Delay(milliseconds, cancel);
            return "done";
        }
        public void Hang() => Thread.Sleep(Timeout.Infinite);
        public void Fail(string why) => throw new InvalidOperationException(why);
        public async Task FailLater(string why)
        {
            await Task.Yield();
            throw new InvalidOperationException(why);
        }
    }

    public static class Program
    {
        public static readonly Everything All = new Everything();

        public static async Task<int> Main()
        {
            var counter = new Counter { Beats = All.Numbers.Length };
            using var timer = new Timer(_ => counter.Beats++, null, 50, 50);
            Console.WriteLine("ready");
            await Task.Run(() => { while (Console.Read() != 'q') Thread.Sleep(10); });
            GC.KeepAlive(timer);
            return 0;
        }
    }

    /// <summary>Held by the closure of a timer's callback.</summary>
    public sealed class Counter
    {
        public int Beats;
    }
}
