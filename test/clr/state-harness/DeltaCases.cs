using System;
using System.Collections.Concurrent;
using System.Collections.Generic;

namespace Harness
{
    static class DeltaCases
    {
        enum Mood
        {
            Calm,
            Busy,
        }

        struct Spot
        {
            public int X;
            public decimal Price;
        }

        sealed class Thing
        {
            public int Number;
            public string Text = "t";
            public decimal Price;
            public DateTime When;
            public Mood Mood;
            public double? Maybe;
            public Spot Spot;
            public Thing Other;
            public List<Thing> List = new List<Thing>();
            public Dictionary<string, object> Map = new Dictionary<string, object>();
            public Dictionary<int, Thing> ByNumber = new Dictionary<int, Thing>();
            public HashSet<string> Tags = new HashSet<string>();
            public ConcurrentDictionary<object, int> Seats = new ConcurrentDictionary<object, int>();
            public SortedDictionary<string, int> Sorted = new SortedDictionary<string, int>();
            public LinkedList<int> Links = new LinkedList<int>();
            public int[] Array = new int[0];
        }

        sealed class Shop
        {
            public string Name = "shop";
            public List<Thing> Things = new List<Thing>();
        }

        static void Mutate(Random random, List<Thing> all)
        {
            Thing thing = all[random.Next(all.Count)];
            Thing other = all[random.Next(all.Count)];
            string key = "k" + random.Next(6);
            switch (random.Next(20))
            {
                case 0: thing.Number = random.Next(3); break;
                case 1: thing.Text = random.Next(4) == 0 ? null : new string('x', random.Next(3) == 0 ? 5000 + random.Next(2) : random.Next(5)); break;
                case 2: thing.Price += 0.01m; break;
                case 3: thing.When = thing.When.AddDays(1); break;
                case 4: thing.Mood = (Mood)random.Next(3); break;
                case 5: thing.Maybe = random.Next(2) == 0 ? (double?)null : random.NextDouble(); break;
                case 6: thing.Spot.X++; break;
                case 7: thing.Spot.Price++; break;
                case 8: thing.Other = random.Next(3) == 0 ? null : other; break;
                case 9: if (thing.List.Count < 5) thing.List.Insert(random.Next(thing.List.Count + 1), other); break;
                case 10: if (thing.List.Count > 0) thing.List.RemoveAt(random.Next(thing.List.Count)); break;
                case 11: thing.Map[key] = random.Next(2) == 0 ? (object)other : random.Next(100); break;
                case 12: thing.Map.Remove(key); break;
                case 13: thing.ByNumber[random.Next(4)] = other; break;
                case 14: thing.ByNumber.Remove(random.Next(4)); break;
                case 15: if (!thing.Tags.Add(key)) thing.Tags.Remove(key); break;
                case 16: thing.Seats[other] = random.Next(5); break;
                case 17: thing.Sorted[key] = random.Next(5); break;
                case 18: if (thing.Links.Count < 4) thing.Links.AddLast(random.Next(9)); else thing.Links.RemoveFirst(); break;
                case 19: thing.Array = new int[random.Next(4)]; break;
            }
        }

        static void Seeds(int from, int count, int cap)
        {
            for (int seed = from; seed < from + count; seed++)
            {
                var random = new Random(seed);
                var all = new List<Thing>();
                for (int at = 0; at < 12; at++) all.Add(new Thing { Number = at });
                var shop = new Shop();
                shop.Things.Add(all[0]);
                shop.Things.Add(all[1]);
                var subject = new Subject(cap).Put("shop", shop).Put("first", all[2]).Put("late", all[3]);
                for (int round = 0; round < 40; round++)
                {
                    for (int changes = random.Next(4); changes > 0; changes--) Mutate(random, all);
                    Dictionary<string, object> now = subject.State(round % 17 == 16);
                    Check.That("cap", now.Count <= cap);
                    Check.Same("nothing has changed, seed " + seed, Subject.All(now), Subject.All(subject.State()));
                    Check.Same("and is reported as that", "{\"kind\":\"same\"}", subject.LastText);
                    // Members of unordered collections stand in the order in which they were first seen.
                    if (cap < 100000) continue;
                    foreach (Thing thing in all) if (thing.Seats.Count > 1) goto next;
                    Check.Same("seed " + seed + ", round " + round, Subject.All(subject.Again().State()), Subject.All(now));
                next:;
                }
            }
        }

        public static void ManySeeds()
        {
            Seeds(1, 24, 100000);
        }

        public static void ManySeedsUnderCaps()
        {
            Seeds(1000, 10, 50);
            Seeds(2000, 10, 200);
        }

        public static void OneChangeIsOneSlot()
        {
            var shop = new Shop();
            for (int at = 0; at < 100; at++) shop.Things.Add(new Thing { Number = at });
            var subject = new Subject(100000).Put("shop", shop);
            subject.State();
            shop.Things[50].Price = 3.5m;
            subject.State();
            Check.That("one change: " + subject.LastText, subject.LastText.StartsWith("{\"kind\":\"delta\",\"changed\":[[")
                && subject.LastText.EndsWith(",3.5]],\"added\":[],\"removed\":[]}"));
            shop.Things.Insert(0, new Thing { Number = 1000 });
            Check.Same("after an insertion", Subject.All(subject.State()), Subject.All(subject.Again().State()));
            shop.Things.Clear();
            Check.Same("after all went", Subject.All(subject.State()), Subject.All(subject.Again().State()));
        }

        public static void SlotsAreRenewed()
        {
            var shop = new Shop();
            var subject = new Subject(100000).Put("shop", shop);
            subject.State();
            bool isRenewed = false;
            for (int round = 0; round < 40; round++)
            {
                shop.Things.Clear();
                subject.State();
                for (int at = 0; at < 50; at++) shop.Things.Add(new Thing());
                subject.State();
                isRenewed |= subject.LastText.StartsWith("{\"kind\":\"full\"");
            }
            Check.That("a new numbering", isRenewed);
        }

        public static void SetMembersKeepTheirPlaces()
        {
            var seats = new ConcurrentDictionary<object, string>();
            var subject = new Subject(100000).Put("seats", seats);
            var keys = new List<Thing>();
            for (int at = 0; at < 50; at++)
            {
                keys.Add(new Thing());
                seats[keys[at]] = "s" + at;
                subject.State();
            }
            Dictionary<string, object> state = subject.State();
            for (int at = 0; at < 50; at++) Check.Same("place " + at, "s" + at, state["seats[" + at + "].value"]);
            string gone;
            seats.TryRemove(keys[10], out gone);
            state = subject.State();
            Check.Same("before it", "s9", state["seats[9].value"]);
            Check.Same("after it", "s11", state["seats[10].value"]);
            GC.KeepAlive(keys);
        }

        public static void CapIsKept()
        {
            var numbers = new List<int>();
            for (int at = 0; at < 5000; at++) numbers.Add(at);
            var subject = new Subject(1000).Put("numbers", new Shop()).Put("box", new Box { It = numbers });
            Dictionary<string, object> state = subject.State();
            Check.That("as many as there is room for: " + state.Count, state.Count > 900 && state.Count <= 1000);
            Check.That("coverage " + subject.Last.Coverage, subject.Last.Coverage > 0.15 && subject.Last.Coverage < 0.25);
            Check.That("raw count " + subject.Last.RawCount, subject.Last.RawCount > 4900 && subject.Last.RawCount < 5200);
            Check.Same("the same again", "{\"kind\":\"same\"}", Same(subject));
        }

        static string Same(Subject subject)
        {
            subject.State();
            return subject.LastText;
        }

        public static void NoSubtreeEatsTheCap()
        {
            var big = new List<Thing>();
            for (int at = 0; at < 1000; at++) big.Add(new Thing { Number = at });
            var subject = new Subject(1000).Put("big", new Box { It = big }).Put("small", new Shop { Name = "s" });
            var late = new Shop { Name = "z" };
            for (int at = 0; at < 3; at++) late.Things.Add(new Thing());
            subject.Put("late", late);
            Dictionary<string, object> state = subject.State();
            Check.Same("small", "s", state["small.Name"]);
            Check.That("late", state.ContainsKey("late.Things[2].Number"));
            Check.That("big", state.ContainsKey("big.It[5].Number"));
            Check.That("cap " + state.Count, state.Count <= 1000 && state.Count > 800);
        }

        public static void Candidates()
        {
            var shop = new Shop();
            shop.Things.Add(new Thing());
            var subject = new Subject(1000).Put("shop", shop).Put("thing", shop.Things[0], false).Put("lost", new Shop(), false);
            Dictionary<string, object> state = subject.State();
            Check.That("what nothing shows is a root", state.ContainsKey("lost.Name"));
            Check.That("what is shown is none", !state.ContainsKey("thing.Number"));
            shop.Things.Clear();
            state = subject.State(true);
            Check.That("until nothing shows it", state.ContainsKey("thing.Number"));
            subject.Put("lost", new Shop());
            Check.That("a second one of the name", subject.State(true).ContainsKey("lost_2.Name"));
        }
    }
}
