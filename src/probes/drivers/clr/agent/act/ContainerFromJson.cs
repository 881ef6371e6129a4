using System;
using System.Collections;
using System.Collections.Generic;
using System.Threading;
using Substrate.Meta;

namespace Substrate.Act
{
    // Lists, sets, queues and dictionaries of the framework.
    static class ContainerFromJson
    {
        static readonly Dictionary<string, Type> Choices = new Dictionary<string, Type>
        {
            { "System.Collections.Generic.IEnumerable`1", typeof(List<>) },
            { "System.Collections.Generic.ICollection`1", typeof(List<>) },
            { "System.Collections.Generic.IList`1", typeof(List<>) },
            { "System.Collections.Generic.IReadOnlyCollection`1", typeof(List<>) },
            { "System.Collections.Generic.IReadOnlyList`1", typeof(List<>) },
            { "System.Collections.Generic.ISet`1", typeof(HashSet<>) },
            { "System.Collections.Generic.IReadOnlySet`1", typeof(HashSet<>) },
            { "System.Collections.Generic.IDictionary`2", typeof(Dictionary<,>) },
            { "System.Collections.Generic.IReadOnlyDictionary`2", typeof(Dictionary<,>) },
        };
        static readonly HashSet<string> Concrete = new HashSet<string>
        {
            "System.Collections.Generic.List`1", "System.Collections.Generic.HashSet`1",
            "System.Collections.Generic.SortedSet`1", "System.Collections.Generic.Queue`1",
            "System.Collections.Generic.Stack`1", "System.Collections.Generic.LinkedList`1",
            "System.Collections.Generic.Dictionary`2", "System.Collections.Generic.SortedDictionary`2",
            "System.Collections.Generic.SortedList`2", "System.Collections.ObjectModel.Collection`1",
            "System.Collections.ObjectModel.ObservableCollection`1",
            "System.Collections.ObjectModel.ReadOnlyCollection`1",
            "System.Collections.Concurrent.ConcurrentDictionary`2", "System.Collections.Concurrent.ConcurrentQueue`1",
            "System.Collections.Concurrent.ConcurrentStack`1", "System.Collections.Concurrent.ConcurrentBag`1",
        };

        // What is made where such a type is wanted; null: it is no container that JSON could fill.
        internal static Type TypeFor(Type type)
        {
            if (type == typeof(IEnumerable) || type == typeof(ICollection) || type == typeof(IList))
                return typeof(List<object>);
            if (type == typeof(ArrayList)) return type;
            if (type == typeof(IDictionary)) return typeof(Dictionary<string, object>);
            if (!type.IsGenericType) return null;
            string name = type.GetGenericTypeDefinition().FullName ?? "";
            Type choice;
            if (Choices.TryGetValue(name, out choice)) return choice.MakeGenericType(type.GetGenericArguments());
            return Concrete.Contains(name) && Frameworks.Is(type) ? type : null;
        }

        internal static bool IsMap(Type made)
        {
            return made.IsGenericType && made.GetGenericArguments().Length == 2;
        }

        internal static Plan Plan(Coerce coerce, object json, Type made, string where)
        {
            return IsMap(made) ? OfMap(coerce, json, made, where) : OfList(coerce, json, made, where);
        }

        static Plan OfList(Coerce coerce, object json, Type made, string where)
        {
            Type element = made.IsGenericType ? made.GetGenericArguments()[0] : typeof(object);
            Plan[] elements = coerce.Elements(json, element, where);
            Type listType = typeof(List<>).MakeGenericType(element);
            int distance = made == listType ? 0 : 2;
            Plan plan = Act.Plan.Later(Act.Plan.CostOf(elements) + distance, stop =>
            {
                var list = (IList)Activator.CreateInstance(listType);
                foreach (Plan each in elements) list.Add(each.Make(stop));
                return made == listType ? list : Activator.CreateInstance(made, list);
            });
            return Act.Plan.AreReady(elements) ? plan.Settled(where) : plan;
        }

        static Plan OfMap(Coerce coerce, object json, Type made, string where)
        {
            var entries = json as Dictionary<string, object>;
            if (entries == null) throw new BadArgument(where + " is " + TypeWords.Given(json) + "; expected an object");
            Type[] types = made.GetGenericArguments();
            var keys = new Plan[entries.Count];
            var values = new Plan[entries.Count];
            int count = 0;
            foreach (KeyValuePair<string, object> entry in entries)
            {
                keys[count] = Key(coerce, entry.Key, types[0], where);
                values[count++] = coerce.Plan(entry.Value, types[1], where + "." + entry.Key);
            }
            Type mapType = typeof(Dictionary<,>).MakeGenericType(types);
            int cost = Math.Max(Act.Plan.CostOf(keys), Act.Plan.CostOf(values)) + (made == mapType ? 0 : 2);
            Plan plan = Act.Plan.Later(cost, stop => Filled(made, mapType, keys, values, stop));
            return Act.Plan.AreReady(keys) && Act.Plan.AreReady(values) ? plan.Settled(where) : plan;
        }

        static object Filled(Type made, Type mapType, Plan[] keys, Plan[] values, CancellationToken stop)
        {
            var map = (IDictionary)Activator.CreateInstance(mapType);
            for (int at = 0; at < keys.Length; at++) map[keys[at].Make(stop)] = values[at].Make(stop);
            return made == mapType ? map : Activator.CreateInstance(made, map);
        }

        // JSON has only text for keys: {"7": …} is the entry 7 of a dictionary of numbers.
        static Plan Key(Coerce coerce, string name, Type type, string where)
        {
            object spoken = name;
            decimal number;
            if (type == typeof(bool) && (name == "true" || name == "false")) spoken = name == "true";
            else if (ScalarFromJson.IsNumber(type) && ScalarFromJson.TryDecimal(name, out number))
                spoken = number == decimal.Truncate(number) && Math.Abs(number) <= long.MaxValue ? (object)(long)number
                    : number;
            return coerce.Plan(spoken, type, "the key " + TypeWords.Given(name) + " of " + where);
        }
    }
}
