using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Collections.Specialized;

namespace Harness
{
    static class CollectionCases
    {
        sealed class Point
        {
            public int X;

            internal Point(int x)
            {
                X = x;
            }
        }

        struct Spot
        {
            public int X;
            public string Name;
        }

        enum Color
        {
            Red,
            Green,
        }

        sealed class Orders : List<Point>
        {
            public string Owner = "Ada";
        }

        sealed class Names : Collection<string> { }

        sealed class ByLength : KeyedCollection<int, string>
        {
            protected override int GetKeyForItem(string item)
            {
                return item.Length;
            }
        }

        sealed class OldNames : CollectionBase
        {
            internal OldNames(params string[] names)
            {
                foreach (string name in names) InnerList.Add(name);
            }
        }

        sealed class OldMap : DictionaryBase
        {
            internal OldMap()
            {
                Dictionary.Add("a", 1);
            }
        }

        public static void Lists()
        {
            Check.Shows(".length=2 [0]=\"a\" [1]=null", new List<string> { "a", null });
            Check.Shows(".length=3 [0]=1 [1]=2 [2]=-3", new List<int> { 1, 2, -3 });
            Check.Shows(".length=2 [0]=1.5 [1]=2.25", new List<decimal> { 1.5m, 2.25m });
            Check.Shows(".length=2 [0].X=1 [1].X=2", new List<Point> { new Point(1), new Point(2) });
            Check.Shows(".length=1 [0].X=7 [0].Name=\"n\"", new List<Spot> { new Spot { X = 7, Name = "n" } });
            Check.Shows(".length=2 [0]=\"Green\" [1]=\"Red\"", new List<Color> { Color.Green, Color.Red });
            Check.Shows(".length=2 [0]=1 [1]=null", new List<int?> { 1, null });
            Check.Shows(".length=0", new List<string>());
            var removed = new List<string> { "a", "b" };
            removed.RemoveAt(1);
            Check.Shows(".length=1 [0]=\"a\"", removed);
            Check.Shows(".length=2 [0]=\"a\" [1]=2", new ArrayList { "a", 2 });
            Check.Shows(".length=1 [0]=\"a\"", ArrayList.Synchronized(new ArrayList { "a" }));
            Check.Shows(".length=2 [0]=\"a\" [1]=\"b\"", new LinkedList<string>(new[] { "a", "b" }));
            Check.Shows(".length=0", new LinkedList<int>());
            Check.Shows(".length=2 [0]=\"a\" [1]=\"b\"", new ReadOnlyCollection<string>(new[] { "a", "b" }));
            Check.Shows(".length=1 [0]=\"a\"", new List<string> { "a" }.AsReadOnly());
            Check.Shows(".length=1 [0]=\"a\"", new Names { "a" });
            Check.Shows(".length=2 [0]=\"a\" [1]=\"bb\"", new ByLength { "a", "bb" });
            Check.Shows(".length=1 [0]=\"a\"", new ObservableCollection<string> { "a" });
            Check.Shows(".length=2 [0]=\"a\" [1]=\"b\"", new OldNames("a", "b"));
            Check.Shows(".length=1 [0]=\"a\"", new StringCollection { "a" });
        }

        public static void OwnCollections()
        {
            var orders = new Orders { new Point(1) };
            Check.Shows(".Owner=\"Ada\" .length=1 [0].X=1", orders);
        }

        public static void Arrays()
        {
            Check.Shows(".length=2 [0]=1 [1]=2", new[] { 1, 2 });
            Check.Shows(".length=2 [0]=1.5 [1]=\"NaN\"", new[] { 1.5, double.NaN });
            Check.Shows(".length=2 [0]=true [1]=false", new[] { true, false });
            Check.Shows(".length=2 [0]=\"a\" [1]=null", new[] { "a", null });
            Check.Shows(".length=1 [0]=\"Green\"", new[] { Color.Green });
            Check.Shows(".length=1 [0].X=3", new[] { new Point(3) });
            Check.Shows(".length=1 [0].X=3 [0].Name=null", new[] { new Spot { X = 3 } });
            Check.Shows(".length=2 [0].length=1 [0][0]=1 [1].length=2 [1][0]=2 [1][1]=3", new[] { new[] { 1 }, new[] { 2, 3 } });
            Check.Shows(".length=2 [0].length=2 [0][0]=1 [0][1]=2 [1].length=2 [1][0]=3 [1][1]=4", new[,] { { 1, 2 }, { 3, 4 } });
            Check.Shows(".length=1", new int[1, 1, 1]);
            Check.Shows("=\"[byte[] of 5 bytes]\"", new byte[5]);
            Check.Shows("=\"north ü\"", System.Text.Encoding.UTF8.GetBytes("north ü"));
            Check.Shows("=\"[byte[] of 3 bytes]\"", new byte[] { 97, 0xC3, 98 });
            Check.Shows("=\"[byte[] of 2 bytes]\"", new byte[] { 13, 10 });
            Check.Shows("=\"[byte[] of 0 bytes]\"", new byte[0]);
            Check.Shows("=\"abc\"", new[] { 'a', 'b', 'c' });
            Check.Shows(".length=1001", new int[1001]);
            var sparse = new string[100];
            sparse[7] = "seven";
            Check.Shows(".length=100 [7]=\"seven\"", sparse);
        }

        /// <summary>Of int. The assembly in which a type is differs, and with it what the compiler refers to.</summary>
        static object Make(string name)
        {
            foreach (string assembly in new[] { "System.Collections", "System", "mscorlib" })
            {
                Type type = Type.GetType("System.Collections.Generic." + name + ", " + assembly, false);
                if (type != null) return Activator.CreateInstance(type.MakeGenericType(typeof(int)));
            }
            throw new TypeLoadException(name);
        }

        static void Do(object target, string method, params object[] args)
        {
            target.GetType().GetMethod(method, Array.ConvertAll(args, arg => arg.GetType())).Invoke(target, args);
        }

        public static void Queues()
        {
            object ring = Make("Queue`1");
            for (int at = 0; at < 4; at++) Do(ring, "Enqueue", at);
            Do(ring, "Dequeue");
            Do(ring, "Dequeue");
            Do(ring, "Enqueue", 4);
            Check.Shows(".length=3 [0]=2 [1]=3 [2]=4", ring);
            Check.Shows(".length=2 [0]=\"a\" [1]=\"b\"", new Queue(new[] { "a", "b" }));
            object stack = Make("Stack`1");
            Do(stack, "Push", 1);
            Do(stack, "Push", 2);
            Check.Shows(".length=2 [0]=2 [1]=1", stack);
            Check.Shows(".length=2 [0]=2 [1]=1", new Stack(new object[] { 1, 2 }));
            var concurrent = new ConcurrentQueue<string>();
            for (int at = 0; at < 100; at++) concurrent.Enqueue("q" + at);
            string taken;
            for (int at = 0; at < 97; at++) concurrent.TryDequeue(out taken);
            Check.Shows(".length=3 [0]=\"q97\" [1]=\"q98\" [2]=\"q99\"", concurrent);
            Check.Shows(".length=0", new ConcurrentQueue<int>());
            var numbers = new ConcurrentQueue<int>(new[] { 5, 6 });
            Check.Shows(".length=2 [0]=5 [1]=6", numbers);
            Check.Shows(".length=2 [0]=2 [1]=1", new ConcurrentStack<int>(new[] { 1, 2 }));
            Check.Shows(".length=2 [0]=1 [1]=2", new ConcurrentBag<int> { 1, 2 });
            Check.Shows(".length=1 [0]=\"b\"", new BlockingCollection<string> { "b" });
        }

        public static void Sets()
        {
            Check.Shows(".size=2 [0]=\"a\" [1]=\"b\"", new HashSet<string> { "a", "b" });
            Check.Shows(".size=2 [0]=-5 [1]=3", new HashSet<int> { -5, 3 });
            var gaps = new HashSet<string> { "a", "b", "c" };
            gaps.Remove("b");
            Check.Shows(".size=2 [0]=\"a\" [1]=\"c\"", gaps);
            Check.Shows(".size=3 [0]=1 [1]=2 [2]=3", new SortedSet<int> { 3, 1, 2 });
            Check.Shows(".size=0", new SortedSet<string>());
        }

        public static void Maps()
        {
            var map = new Dictionary<string, int> { { "a", 1 }, { "odd key", 2 }, { "", 3 }, { "gone", 4 }, { "1x", 5 } };
            map.Remove("gone");
            Check.Shows(".size=4 .a=1 [\"odd key\"]=2 [\"\"]=3 [\"1x\"]=5", map);
            Check.Shows(".size=2 [\"1\"]=\"one\" [\"-2\"]=\"two\"", new Dictionary<int, string> { { 1, "one" }, { -2, "two" } });
            Check.Shows(".size=1 .Green.X=1", new Dictionary<Color, Point> { { Color.Green, new Point(1) } });
            Check.Shows(".size=1 [\"00000000-0000-0000-0000-000000000000\"]=true", new Dictionary<Guid, bool> { { Guid.Empty, true } });
            Check.Shows(".size=1 [0].value=\"p\" [0].key.X=1", new Dictionary<Point, string> { { new Point(1), "p" } });
            Check.Shows(".size=1 [0].value=\"s\" [0].key.X=4 [0].key.Name=null",
                new Dictionary<Spot, string> { { new Spot { X = 4 }, "s" } });
            Check.Shows(".size=2 .a=1 .b=2", new SortedDictionary<string, int> { { "b", 2 }, { "a", 1 } });
            Check.Shows(".size=2 .a=1 .b=2", new SortedList<string, int> { { "b", 2 }, { "a", 1 } });
            Check.Shows(".size=1 .a=1", new SortedList { { "a", 1 } });
            Check.Shows(".size=1 .a=1", new Hashtable { { "a", 1 } });
            var emptied = new Hashtable { { "a", 1 }, { "b", 2 } };
            emptied.Remove("a");
            Check.Shows(".size=1 .b=2", emptied);
            Check.Shows(".size=1 .a.X=1", new ConcurrentDictionary<string, Point>(
                new Dictionary<string, Point> { { "a", new Point(1) } }));
            Check.Shows(".size=1 [\"5\"]=6", new ConcurrentDictionary<int, long>(new Dictionary<int, long> { { 5, 6 } }));
            Check.Shows(".size=1 .a=1", new ReadOnlyDictionary<string, int>(new Dictionary<string, int> { { "a", 1 } }));
            Check.Shows(".size=1 .a=1", new OldMap());
            Check.Shows(".size=2 .a=\"1\" .b.length=2 .b[0]=\"2\" .b[1]=\"3\"",
                new NameValueCollection { { "a", "1" }, { "b", "2" }, { "b", "3" } });
            Check.Shows(".size=1 .a=\"1\"", new StringDictionary { { "a", "1" } });
            Check.Shows(".size=1 .a=1", new ListDictionary { { "a", 1 } });
            Check.Shows(".size=1 .a=1", new HybridDictionary { { "a", 1 } });
            Check.Shows(".size=1 .a=1", new OrderedDictionary { { "a", 1 } });
        }

        public static void Keys()
        {
            Check.Shows(".size=3 .a=1", new Dictionary<string, int> { { "a", 1 }, { "size", 2 }, { new string('k', 1001), 3 } });
            Check.Shows(".size=2 [\"1\"]=\"text\"", new Dictionary<object, string> { { "1", "text" }, { 1, "number" } });
            Check.Shows(".size=1 [\"say \\\"hi\\\"\\n\"]=1", new Dictionary<string, int> { { "say \"hi\"\n", 1 } });
            Check.Shows(".size=1 [\"Größe\"]=1", new Dictionary<string, int> { { "Größe", 1 } });
        }
    }
}
