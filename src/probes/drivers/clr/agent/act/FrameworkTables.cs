using System;
using System.Collections.Generic;

namespace Substrate.Act
{
    // What methods of the framework do, as far as effects are to be judged; what is not named here may do anything.
    static class FrameworkTables
    {
        // Types, without what stands in angle brackets, and their methods that change nothing; a star: all.
        internal static readonly Dictionary<string, HashSet<string>> Reads = Table(
            "System.Object .ctor GetType ReferenceEquals Equals GetHashCode ToString MemberwiseClone",
            "System.ValueType Equals GetHashCode ToString", "System.Enum *", "System.Char *", "System.Boolean *",
            "System.Byte *", "System.SByte *", "System.Int16 *", "System.UInt16 *", "System.Int32 *", "System.UInt32 *",
            "System.Int64 *", "System.UInt64 *", "System.Single *", "System.Double *", "System.Decimal *",
            "System.Math *", "System.MathF *", "System.DateTime *", "System.DateTimeOffset *", "System.DateOnly *",
            "System.TimeOnly *", "System.TimeSpan *", "System.Guid *", "System.Nullable *", "System.Convert *",
            "System.Tuple *", "System.ValueTuple *", "System.Version *",
            "System.Uri *", "System.Index *", "System.Range *", "System.IComparable *", "System.IEquatable *",
            "System.IFormattable *", "System.StringComparer *",
            "System.BitConverter GetBytes ToInt32 ToInt64 ToDouble ToString",
            "System.Numerics.BigInteger *", "System.HashCode Combine",
            "System.TimeZoneInfo get_Utc get_Local ConvertTime ConvertTimeFromUtc",
            "System.Type op_Equality op_Inequality GetTypeFromHandle IsAssignableFrom IsInstanceOfType "
                + "get_Name get_FullName get_IsEnum",
            "System.Reflection.MemberInfo get_Name",
            "System.Environment get_TickCount get_TickCount64 get_NewLine get_ProcessorCount "
                + "get_CurrentManagedThreadId",
            "System.Diagnostics.Stopwatch GetTimestamp get_Elapsed get_ElapsedMilliseconds get_IsRunning",
            "System.Globalization.CultureInfo get_InvariantCulture get_CurrentCulture get_Name",
            "System.Text.StringBuilder .ctor get_Length get_Chars ToString get_Capacity Equals",
            "System.Text.RegularExpressions.Regex .ctor IsMatch Match Matches Replace Split Escape",
            "System.Text.RegularExpressions.Match get_Success get_Groups get_Value",
            "System.Text.RegularExpressions.Group *",
            "System.Text.RegularExpressions.GroupCollection get_Item get_Count",
            "System.Text.RegularExpressions.Capture *",
            "System.Array get_Length get_LongLength get_Rank GetLength GetLowerBound GetUpperBound GetValue "
                + "IndexOf LastIndexOf Clone Empty Exists Find FindAll FindIndex FindLast TrueForAll ConvertAll "
                + "BinarySearch AsReadOnly GetEnumerator",
            "System.Runtime.CompilerServices.RuntimeHelpers GetHashCode get_OffsetToStringData GetSubArray",
            "System.Threading.Volatile Read", "System.Threading.Thread get_CurrentThread get_ManagedThreadId get_Name",
            "System.Threading.CancellationToken get_IsCancellationRequested ThrowIfCancellationRequested "
                + "get_None get_CanBeCanceled",
            "System.Delegate Combine Remove Equals op_Equality op_Inequality",
            "System.MulticastDelegate op_Equality op_Inequality",
            "System.Threading.Tasks.Task get_CompletedTask FromResult FromException Delay Yield GetAwaiter "
                + "get_IsCompleted ConfigureAwait get_Status WhenAll WhenAny get_Result get_IsFaulted "
                + "get_IsCanceled",
            "System.Threading.Tasks.ValueTask *", "System.Random .ctor", "System.Collections.Generic.KeyValuePair *",
            "System.Collections.Generic.CollectionExtensions GetValueOrDefault",
            "System.Collections.DictionaryEntry *", "System.Collections.Generic.EqualityComparer *",
            "System.Collections.Generic.Comparer *", "System.Collections.Comparer *", "System.Lazy get_IsValueCreated",
            "System.Linq.Enumerable *", "System.Linq.ImmutableArrayExtensions *",
            "System.IO.Path Combine GetFileName GetExtension GetFileNameWithoutExtension GetDirectoryName "
                + "IsPathRooted ChangeExtension",
            "System.GC KeepAlive", "System.Threading.Interlocked Read", "System.MemoryExtensions AsSpan",
            "System.ReadOnlySpan *", "System.Span get_Length get_IsEmpty op_Implicit");

        // What these change is the object that they are called on.
        internal static readonly Dictionary<string, HashSet<string>> Writes = Table(
            "System.Text.StringBuilder Append AppendLine AppendFormat AppendJoin Insert Remove Replace Clear "
                + "set_Length set_Chars set_Capacity EnsureCapacity",
            "System.Runtime.CompilerServices.DefaultInterpolatedStringHandler *",
            "System.Random Next NextDouble NextBytes NextInt64",
            "System.HashCode Add ToHashCode", "System.Diagnostics.Stopwatch Start Stop Reset Restart",
            "System.Span set_Item get_Item Fill Clear");

        // What these change is their first argument.
        internal static readonly Dictionary<string, HashSet<string>> WritesFirst = Table(
            "System.Array Sort Reverse Clear Resize Fill SetValue",
            "System.Runtime.CompilerServices.RuntimeHelpers InitializeArray",
            "System.Threading.Interlocked Increment Decrement Add Exchange CompareExchange And Or",
            "System.Threading.Volatile Write",
            "System.Threading.Monitor Enter Exit TryEnter Pulse PulseAll",
            "System.Runtime.InteropServices.CollectionsMarshal SetCount");

        // Things that are gone through once: to go on changes how far one is, and nothing else.
        internal static readonly HashSet<string> Steps =
            Words("MoveNext get_Current Dispose Reset get_Key get_Value get_Entry");

        internal static readonly HashSet<string> ContainerReads = Words(
            ".ctor get_Count get_Item get_Length Contains ContainsKey ContainsValue TryGetValue IndexOf "
                + "LastIndexOf Find FindAll FindIndex FindLast FindLastIndex Exists TrueForAll ForEach ConvertAll "
                + "BinarySearch ToArray GetRange AsReadOnly GetEnumerator get_Keys get_Values get_Comparer Peek "
                + "TryPeek get_IsReadOnly get_First get_Last get_Next get_Previous get_Value get_Key IsSubsetOf "
                + "IsSupersetOf IsProperSubsetOf IsProperSupersetOf Overlaps SetEquals get_Min get_Max "
                + "GetViewBetween get_IsEmpty GetValueOrDefault get_Capacity Equals GetHashCode ToString "
                + "get_SyncRoot get_IsSynchronized get_IsFixedSize Reverse IndexOfKey IndexOfValue get_List");
        internal static readonly HashSet<string> ContainerWrites = Words(
            "Add AddRange Insert InsertRange Remove RemoveAt RemoveAll RemoveRange RemoveWhere Clear set_Item "
                + "Sort Enqueue Dequeue TryDequeue Push Pop TryPop TryAdd TryRemove TryUpdate AddOrUpdate GetOrAdd "
                + "UnionWith IntersectWith ExceptWith SymmetricExceptWith AddFirst AddLast AddBefore AddAfter "
                + "RemoveFirst RemoveLast TrimExcess EnsureCapacity set_Capacity set_Value TryTake PushRange");
        // Containers that tell nobody what is done to them.
        internal static readonly HashSet<string> Containers = Words(
            "Generic.List Generic.Dictionary Generic.HashSet Generic.Queue Generic.Stack Generic.LinkedList "
                + "Generic.LinkedListNode Generic.SortedDictionary Generic.SortedList Generic.SortedSet "
                + "Generic.PriorityQueue Generic.IList Generic.ICollection Generic.IEnumerable Generic.IDictionary "
                + "Generic.ISet Generic.IReadOnlyList Generic.IReadOnlyCollection Generic.IReadOnlyDictionary "
                + "Generic.IReadOnlySet IList ICollection IEnumerable IDictionary ArrayList Hashtable Queue Stack "
                + "SortedList BitArray ObjectModel.ReadOnlyCollection ObjectModel.ReadOnlyDictionary "
                + "ObjectModel.Collection Concurrent.ConcurrentDictionary Concurrent.ConcurrentQueue "
                + "Concurrent.ConcurrentStack Concurrent.ConcurrentBag");

        static Dictionary<string, HashSet<string>> Table(params string[] lines)
        {
            var table = new Dictionary<string, HashSet<string>>();
            foreach (string line in lines)
            {
                int space = line.IndexOf(' ');
                table[line.Substring(0, space)] = Words(line.Substring(space + 1));
            }
            return table;
        }

        static HashSet<string> Words(string text)
        {
            return new HashSet<string>(text.Split(' '));
        }

        internal static bool IsIn(Dictionary<string, HashSet<string>> table, string type, string method)
        {
            HashSet<string> names;
            return table.TryGetValue(type, out names) && (names.Contains(method) || names.Contains("*"));
        }
    }
}
