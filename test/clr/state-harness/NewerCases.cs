using System;
using System.Collections.Generic;
using System.Reflection;

namespace Harness
{
    /// <summary>What the compiler of these cases does not know, made by reflection.</summary>
    static class NewerCases
    {
        static Type Find(string name, string assembly)
        {
            return Assembly.Load(assembly).GetType(name, true);
        }

        static object Call(Type type, string method, Type[] generics, params object[] args)
        {
            foreach (MethodInfo one in type.GetMethods(BindingFlags.Static | BindingFlags.Public))
            {
                if (one.Name != method || one.GetGenericArguments().Length != generics.Length || one.GetParameters().Length != args.Length) continue;
                MethodInfo made = generics.Length == 0 ? one : one.MakeGenericMethod(generics);
                ParameterInfo[] parameters = made.GetParameters();
                bool fits = true;
                for (int at = 0; at < args.Length; at++) fits &= args[at] == null || parameters[at].ParameterType.IsInstanceOfType(args[at]);
                if (fits) return made.Invoke(null, args);
            }
            throw new MissingMethodException(type.FullName, method);
        }

        public static void Immutables()
        {
            const string Assembly = "System.Collections.Immutable";
            Type[] text = { typeof(string) };
            Type[] pair = { typeof(string), typeof(int) };
            var names = new[] { "a", "b", "c" };
            var map = new Dictionary<string, int> { { "b", 2 }, { "a", 1 } };
            Func<string, Type> type = name => Find(Assembly + "." + name, Assembly);
            Check.Shows(".length=3 [0]=\"a\" [1]=\"b\" [2]=\"c\"", Call(type("ImmutableArray"), "CreateRange", text, (IEnumerable<string>)names));
            Check.Shows(".length=3 [0]=\"a\" [1]=\"b\" [2]=\"c\"", Call(type("ImmutableList"), "CreateRange", text, (IEnumerable<string>)names));
            Check.Shows(".size=3 [0]=\"a\" [1]=\"b\" [2]=\"c\"", Call(type("ImmutableSortedSet"), "CreateRange", text, (IEnumerable<string>)names));
            Check.Shows(".length=3 [0]=\"c\" [1]=\"b\" [2]=\"a\"", Call(type("ImmutableStack"), "CreateRange", text, (IEnumerable<string>)names));
            Check.Shows(".length=3 [0]=\"a\" [1]=\"b\" [2]=\"c\"", Call(type("ImmutableQueue"), "CreateRange", text, (IEnumerable<string>)names));
            Check.Shows(".size=2 .a=1 .b=2", Call(type("ImmutableSortedDictionary"), "CreateRange", pair, map));
            Check.Shows(".size=1 .a=1", Call(type("ImmutableDictionary"), "CreateRange", pair, new Dictionary<string, int> { { "a", 1 } }));
            Check.Shows(".size=1 [0]=\"a\"", Call(type("ImmutableHashSet"), "CreateRange", text, (IEnumerable<string>)new[] { "a" }));
            var many = new Dictionary<string, int>();
            for (int at = 0; at < 500; at++) many.Add("k" + at, at);
            var shown = new Subject(2000).Put("m", Call(type("ImmutableDictionary"), "CreateRange", pair, many)).State();
            for (int at = 0; at < 500; at++) Check.Same("entry", (long)at, shown["m.k" + at]);
        }

        public static void Frozen()
        {
            const string Assembly = "System.Collections.Immutable";
            var map = new Dictionary<string, int> { { "a", 1 } };
            Check.Shows(".size=1 .a=1", Call(Find("System.Collections.Frozen.FrozenDictionary", Assembly), "ToFrozenDictionary",
                new[] { typeof(string), typeof(int) }, map, null));
            Check.Shows(".size=1 [0]=5", Call(Find("System.Collections.Frozen.FrozenSet", Assembly), "ToFrozenSet",
                new[] { typeof(int) }, new[] { 5 }, null));
        }

        public static void Dates()
        {
            Type day = Find("System.DateOnly", "System.Runtime");
            Type time = Find("System.TimeOnly", "System.Runtime");
            object date = Activator.CreateInstance(day, 2024, 5, 17);
            Check.Shows("=\"2024-05-17\"", date);
            Check.Shows("=\"10:30:05\"", Activator.CreateInstance(time, 10, 30, 5));
            Array days = Array.CreateInstance(day, 1);
            days.SetValue(date, 0);
            Check.Shows(".length=1 [0]=\"2024-05-17\"", days);
            Array times = Array.CreateInstance(time, 1);
            Check.Shows(".length=1 [0]=\"00:00:00\"", times);
            Array maybe = Array.CreateInstance(typeof(Nullable<>).MakeGenericType(day), 2);
            maybe.SetValue(date, 0);
            Check.Shows(".length=2 [0]=\"2024-05-17\" [1]=null", maybe);
        }

        public static void Numbers()
        {
            Check.Shows("=\"170141183460469231731687303715884105727\"", Find("System.Int128", "System.Runtime")
                .GetProperty("MaxValue").GetValue(null, null));
            Check.Shows("=1.5", Find("System.Half", "System.Runtime").GetMethod("Parse", new[] { typeof(string) })
                .Invoke(null, new object[] { "1.5" }));
            Check.Shows("=\"123456789012345678901234567890\"", Find("System.Numerics.BigInteger", "System.Runtime.Numerics")
                .GetMethod("Parse", new[] { typeof(string) }).Invoke(null, new object[] { "123456789012345678901234567890" }));
            Type tuple = typeof(int).Assembly.GetType("System.ValueTuple`2").MakeGenericType(typeof(int), typeof(string));
            Check.Shows(".Item1=1 .Item2=\"one\"", Activator.CreateInstance(tuple, 1, "one"));
        }

        public static void Collections()
        {
            Type queue = Find("System.Collections.Generic.PriorityQueue`2", "System.Collections").MakeGenericType(typeof(string), typeof(int));
            object waiting = Activator.CreateInstance(queue);
            queue.GetMethod("Enqueue").Invoke(waiting, new object[] { "a", 5 });
            Check.Shows(".length=1 [0].element=\"a\" [0].priority=5", waiting);
            Type ordered = Find("System.Collections.Generic.OrderedDictionary`2", "System.Collections").MakeGenericType(typeof(string), typeof(int));
            object map = Activator.CreateInstance(ordered);
            ordered.GetMethod("Add").Invoke(map, new object[] { "a", 5 });
            Check.Shows(".size=1 .a=5", map);
        }
    }
}
