using System;
using System.Collections.Generic;
using System.IO;
using System.Numerics;
using System.Text;

namespace Graph
{
    /// <summary>
    /// The object graph of test/contract/graph-contract.ts: the same is in java/graph and in graph.cjs. Its names are
    /// written as in Java.
    /// </summary>
    public sealed class World
    {
        public const int LIMIT = 10;
        public const string VERSION = "1.2.3";
        internal static readonly Size SMALL = new Size("small", 1);
        internal static readonly Size LARGE = new Size("large", 2);

        internal string title = "Corner \"Shop\"\nsecond line \U0001D11E \u0000 end";
        internal string empty = "";
        internal string nothing = null;
        internal string longText = new StringBuilder().Insert(0, "0123456789", 500).ToString();
        internal int count = 3;
        internal long most = long.MaxValue;
        internal long least = long.MinValue;
        internal long exact = 9007199254740991L;
        internal BigInteger huge = BigInteger.Parse("123456789012345678901234567890");
        internal double ratio = 0.1;
        internal double largest = double.MaxValue;
        internal double smallest = double.Epsilon;
        internal double notANumber = double.NaN;
        internal double endless = double.NegativeInfinity;
        internal double minusZero = -0.0;
        internal bool isOpen = true;
        internal char letter = 'x';
        internal Mood mood = Mood.STORMY;
        internal DateTime opened = new DateTime(2024, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        internal string present = "here";
        internal string missing = null;
        internal int? age = 36;
        internal Size size = LARGE;
        internal Address address = new Address("Main Street", 12);
        internal Address again;
        internal Person owner = new Person("Ada");
        internal Person boss;
        internal Employee employee = new Employee();
        internal List<Person> people = new List<Person>();
        internal List<object> mixed = new List<object>();
        internal List<string> noList = new List<string>();
        internal Dictionary<string, int> noMap = new Dictionary<string, int>();
        internal HashSet<string> noSet = new HashSet<string>();
        internal int[] numbers = { 1, 2, 3 };
        internal int[][] grid = { new[] { 1, 2 }, new[] { 3, 4 } };
        internal string[] words = { "one", null, "three" };
        internal byte[] text = Encoding.UTF8.GetBytes("hello");
        internal byte[] picture = { 0, 1, 2, 3 };
        internal Dictionary<string, int> stock = new Dictionary<string, int>();
        internal Dictionary<int, string> byNumber = new Dictionary<int, string>();
        internal Dictionary<Mood, int> byMood = new Dictionary<Mood, int>();
        internal Dictionary<Person, int> byPerson = new Dictionary<Person, int>();
        internal Dictionary<Parcel, int> byParcel = new Dictionary<Parcel, int>();
        internal Dictionary<Parcel, int> weights = new Dictionary<Parcel, int>();
        internal Depot depot = new Depot();
        internal HashSet<string> tags = new HashSet<string>();
        internal List<int> longList = new List<int>();
        internal Dictionary<string, object> settings = new Dictionary<string, object>();
        internal string password = "hunter2";
        internal ProtectedString vault = new ProtectedString("swordfish");
        internal LoginCredentials login = new LoginCredentials("ada", "opensesame");
        internal Logger logger = new Logger("world");
        internal Stream stream = new MemoryStream(new byte[4]);
        internal Action callback = () => { };

        public World()
        {
            again = address;
            boss = owner;
            var grace = new Person("Grace");
            owner.friends.Add(grace);
            grace.friends.Add(owner);
            people.Add(owner);
            people.Add(grace);
            mixed.Add("text");
            mixed.Add(7);
            mixed.Add(true);
            mixed.Add(null);
            mixed.Add(new Address("Side Street", 3));
            stock["apple"] = 5;
            stock["odd key"] = 6;
            stock["a.b[0]"] = 7;
            stock[""] = 8;
            byNumber[1] = "one";
            byNumber[-2] = "minus two";
            byMood[Mood.CALM] = 1;
            byPerson[owner] = 1;
            byParcel[new Parcel("p1")] = 2;
            weights[depot.shelf.parcels[0]] = 3;
            tags.Add("red");
            tags.Add("green");
            for (int at = 0; at < 600; at++) longList.Add(at);
            settings["theme"] = "dark";
            settings["apiToken"] = "tok_live_51Hx8KqLm29vTzR4";
        }

        public int total()
        {
            int sum = 0;
            foreach (int number in numbers) sum += number;
            return sum;
        }

        public string getTitle()
        {
            return title;
        }

        public void setTitle(string title)
        {
            this.title = title;
        }

        public void addTag(string tag)
        {
            tags.Add(tag);
        }

        public void removeTag(string tag)
        {
            tags.Remove(tag);
        }

        public void deletePeople()
        {
            people.Clear();
        }

        public void shutdown()
        {
            Environment.Exit(0);
        }
    }

    enum Mood { CALM, STORMY }

    // A type with a few constants of itself, like an enum.
    sealed class Size
    {
        readonly string label;
        readonly int order;

        internal Size(string label, int order)
        {
            this.label = label;
            this.order = order;
        }
    }

    sealed class Address
    {
        internal string street;
        internal int number;

        internal Address(string street, int number)
        {
            this.street = street;
            this.number = number;
        }
    }

    sealed class Person
    {
        internal string name;
        internal List<Person> friends = new List<Person>();

        internal Person(string name)
        {
            this.name = name;
        }
    }

    sealed class Parcel
    {
        internal string code;
        internal List<string> stops = new List<string>();

        internal Parcel(string code)
        {
            this.code = code;
        }
    }

    // Leads to a parcel that is a key of a dictionary, too.
    sealed class Depot
    {
        internal Shelf shelf = new Shelf();
    }

    sealed class Shelf
    {
        internal List<Parcel> parcels = new List<Parcel>();

        internal Shelf()
        {
            parcels.Add(new Parcel("p2"));
        }
    }

    // The one object of its type.
    sealed class Registry
    {
        internal static readonly Registry INSTANCE = new Registry();
        internal int entries = 4;
        internal List<string> names = new List<string>();
    }

    class Worker
    {
        internal string name = "worker";
        internal int shifts = 2;
    }

    sealed class Employee : Worker
    {
        internal new string name = "employee";
        internal int level = 3;
    }

    sealed class ProtectedString
    {
        internal string value;

        internal ProtectedString(string value)
        {
            this.value = value;
        }
    }

    sealed class LoginCredentials
    {
        internal string user;
        internal string phrase;

        internal LoginCredentials(string user, string phrase)
        {
            this.user = user;
            this.phrase = phrase;
        }
    }

    sealed class Logger
    {
        internal string prefix;
        internal int lines = 1;

        internal Logger(string prefix)
        {
            this.prefix = prefix;
        }
    }
}
