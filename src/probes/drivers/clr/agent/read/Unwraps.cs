using System;
using System.Collections.Generic;

namespace Substrate.Read
{
    // Objects of the framework in whose place another object is shown: one that they hold, wrap or stand for.
    static class Unwraps
    {
        const int Faulted = 0x200000;
        const int Canceled = 0x400000;
        const int RanToCompletion = 0x1000000;
        const int MaxMade = 10000;

        // Null if it is no wrapper. References that the garbage collector may clear do not count: reading one would
        // keep its object alive.
        internal static Func<object, object> Of(Type type)
        {
            switch (NameOf(type))
            {
                case "System.Collections.ObjectModel.ReadOnlyCollection`1": return Held(type, "list");
                case "System.Collections.ObjectModel.ReadOnlyObservableCollection`1": return Held(type, "list");
                case "System.Collections.ObjectModel.ReadOnlyDictionary`2":
                    return Held(type, "m_dictionary|_dictionary");
                case "System.Collections.ObjectModel.ReadOnlySet`1": return Held(type, "_set");
                case "System.Collections.Concurrent.BlockingCollection`1":
                    return Held(type, "_collection|m_collection");
                case "System.Runtime.CompilerServices.StrongBox`1": return Held(type, "Value");
                case "System.Collections.ArrayList+SyncArrayList":
                case "System.Collections.ArrayList+FixedSizeArrayList":
                case "System.Collections.ArrayList+ReadOnlyArrayList":
                case "System.Collections.ArrayList+IListWrapper":
                case "System.Collections.ArrayList+SyncIList":
                case "System.Collections.ArrayList+FixedSizeList":
                case "System.Collections.ArrayList+ReadOnlyList":
                case "System.Collections.SortedList+SyncSortedList": return Held(type, "_list");
                case "System.Collections.Hashtable+SyncHashtable": return Held(type, "_table");
                case "System.Collections.Queue+SynchronizedQueue": return Held(type, "_q");
                case "System.Collections.Stack+SyncStack": return Held(type, "_s");
                case "System.Collections.Specialized.StringCollection": return Held(type, "data");
                case "System.Collections.Specialized.StringDictionary": return Held(type, "contents|_contents");
                case "System.Collections.Specialized.OrderedDictionary": return Held(type, "_objectsTable");
                case "System.Collections.Specialized.HybridDictionary":
                    return Either(type, "hashtable|_hashtable", "list|_list");
                case "System.Collections.Immutable.ImmutableArray`1": return Held(type, "array");
                case "System.Collections.Immutable.ImmutableQueue`1": return Queue(type);
                case "Microsoft.FSharp.Core.FSharpOption`1": return Held(type, "item");
                case "Microsoft.FSharp.Core.FSharpRef`1": return Held(type, "contents@|contents");
                case "System.Lazy`1": return Lazy(type);
                case "System.Collections.Generic.PriorityQueue`2": return Priorities(type);
                case "System.Tuple`2": return Variable(type);
                default: return null;
            }
        }

        // For a type whose objects are shown as a record or an entry that is made of them; otherwise null.
        internal static Func<object, object> ViewOf(Type type)
        {
            if (typeof(System.Threading.Tasks.Task).IsAssignableFrom(type)) return Task(type);
            switch (NameOf(type))
            {
                case "System.Collections.Generic.KeyValuePair`2": return Pair(type, "key", "value");
                case "System.Collections.DictionaryEntry": return Pair(type, "_key", "_value");
                default: return null;
            }
        }

        internal static string NameOf(Type type)
        {
            return (type.IsGenericType && !type.IsGenericTypeDefinition
                ? type.GetGenericTypeDefinition() : type).FullName ?? "";
        }

        static Func<object, object> Held(Type type, string name)
        {
            Accessor held = Accessor.Field(type, name);
            if (held == null) return null;
            return wrapper => held.Get(wrapper);
        }

        // A variable of Mono's C# shell: what its compiler knows of it, and the field that holds the value.
        static Func<object, object> Variable(Type type)
        {
            if (type.GetGenericArguments()[0].FullName != "Mono.CSharp.FieldSpec") return null;
            Accessor field = Accessor.Field(type, "m_Item2");
            if (field == null) return null;
            return tuple => Value(field.Get(tuple) as System.Reflection.FieldInfo);
        }

        static object Value(System.Reflection.FieldInfo field)
        {
            return field == null || !field.IsStatic || field.FieldType.IsPointer ? null : field.GetValue(null);
        }

        static Func<object, object> Either(Type type, string first, string second)
        {
            Accessor one = Accessor.Field(type, first);
            Accessor other = Accessor.Field(type, second);
            if (one == null || other == null) return null;
            return wrapper => one.Get(wrapper) ?? other.Get(wrapper);
        }

        // The state is cleared when the value is there.
        static Func<object, object> Lazy(Type type)
        {
            Accessor state = Accessor.Field(type, "_state");
            Accessor value = Accessor.Field(type, "_value");
            if (state == null || value == null) return null;
            return lazy => state.Get(lazy) == null ? value.Get(lazy) : null;
        }

        static Func<object, object> Pair(Type type, string first, string second)
        {
            Accessor key = Accessor.Field(type, first);
            Accessor value = Accessor.Field(type, second);
            if (key == null || value == null) return null;
            return pair => new KeyedEntry(key.Get(pair), value.Get(pair));
        }

        static Func<object, object> Task(Type type)
        {
            Accessor flags = Accessor.Field(type, "m_stateFlags|_stateFlags");
            Accessor result = Accessor.Field(type, "m_result|_result");
            if (flags == null) return null;
            bool hasResult = result != null && result.Type.Name != "VoidTaskResult";
            return task =>
            {
                int state = flags.Whole(task);
                if ((state & Faulted) != 0) return new Record().Put("state", "failed").Put("failure", Failure(task));
                if ((state & Canceled) != 0) return new Record().Put("state", "cancelled");
                if ((state & RanToCompletion) == 0) return new Record().Put("state", "pending");
                Record done = new Record().Put("state", "done");
                return hasResult ? done.Put("result", result.Get(task)) : done;
            };
        }

        // The first exception, from the fields of the task; null if it is not found there.
        static object Failure(object task)
        {
            object held = task;
            foreach (string name in new[] { "m_contingentProperties", "m_exceptionsHolder", "m_faultExceptions",
                "_items" })
            {
                Accessor next = held == null ? null : Accessor.Field(held.GetType(), name);
                held = next == null ? null : next.Get(held);
            }
            var list = held as object[];
            object info = list == null || list.Length == 0 ? null : list[0];
            Accessor exception = info == null ? null : Accessor.Field(info.GetType(), "_exception|m_Exception");
            return exception == null ? null : exception.Get(info);
        }

        // Two stacks: the front, and the reversed back.
        static Func<object, object> Queue(Type type)
        {
            Accessor forwards = Accessor.Field(type, "_forwards");
            Accessor backwards = Accessor.Field(type, "_backwards");
            Accessor head = forwards == null ? null : Accessor.Field(forwards.Type, "_head");
            Accessor tail = forwards == null ? null : Accessor.Field(forwards.Type, "_tail");
            if (backwards == null || head == null || tail == null) return null;
            return queue =>
            {
                List<object> made = Stacked(forwards.Get(queue), head, tail);
                List<object> last = Stacked(backwards.Get(queue), head, tail);
                last.Reverse();
                made.AddRange(last);
                return made.ToArray();
            };
        }

        static List<object> Stacked(object top, Accessor head, Accessor tail)
        {
            var made = new List<object>();
            for (object at = top; at != null && made.Count < MaxMade; )
            {
                object below = tail.Get(at);
                if (below != null) made.Add(head.Get(at));
                at = below;
            }
            return made;
        }

        static Func<object, object> Priorities(Type type)
        {
            Accessor nodes = Accessor.Field(type, "_nodes");
            Accessor size = Accessor.Field(type, "_size");
            Accessor element = nodes == null ? null : Accessor.Cell(nodes.Type, "Item1");
            Accessor priority = nodes == null ? null : Accessor.Cell(nodes.Type, "Item2");
            if (size == null || element == null || priority == null) return null;
            return queue =>
            {
                var array = nodes.Get(queue) as Array;
                int count = array == null ? 0 : Math.Max(0, Math.Min(Math.Min(size.Whole(queue), array.Length),
                    MaxMade));
                var made = new object[count];
                for (int at = 0; at < count; at++)
                    made[at] = new Record().Put("element", element.Get(array, at)).Put("priority",
                        priority.Get(array, at));
                return made;
            };
        }
    }
}
