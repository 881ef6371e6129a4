/**
 * The effects of .NET's methods; a method that is not listed may do anything. Assumption: the app's own collections
 * keep to their contracts where an interface of .NET is called; collections that are seen to be passed are examined.
 */
import type { MemberFacts } from '../../insight/effects/code-facts.ts';
import { isIn, nameTable, type Platform, type PlatformCall, words } from '../../insight/effects/platform.ts';
import {
  LEVEL,
  type Level,
  levelOfWritingTo,
  mergeOrigins,
  type Origin,
  worst,
} from '../../insight/effects/value-origin.ts';
import { followIl } from './il.ts';

const HARMLESS = words(
  'Enum Char Boolean Byte SByte Int16 UInt16 Int32 UInt32 Int64 UInt64 Single Double Decimal Math MathF DateTime',
  'DateTimeOffset DateOnly TimeOnly TimeSpan Guid Nullable Convert Tuple ValueTuple Version Uri Index Range IComparable',
  'IEquatable IFormattable StringComparer Numerics.BigInteger Text.RegularExpressions.Group',
  'Text.RegularExpressions.Capture Threading.Tasks.ValueTask Collections.Generic.KeyValuePair',
  'Collections.DictionaryEntry Collections.Generic.EqualityComparer Collections.Generic.Comparer Collections.Comparer',
  'Linq.Enumerable Linq.ImmutableArrayExtensions ReadOnlySpan String',
);
const READS = nameTable([
  ...[...HARMLESS].map((name) => `System.${name}`),
  'System.Object .ctor GetType ReferenceEquals Equals GetHashCode ToString MemberwiseClone',
  'System.ValueType Equals GetHashCode ToString',
  'System.BitConverter GetBytes ToInt32 ToInt64 ToDouble ToString',
  'System.HashCode Combine',
  'System.TimeZoneInfo get_Utc get_Local ConvertTime ConvertTimeFromUtc',
  'System.Type op_Equality op_Inequality GetTypeFromHandle IsAssignableFrom IsInstanceOfType get_Name get_FullName ' +
    'get_IsEnum',
  'System.Reflection.MemberInfo get_Name',
  'System.Environment get_TickCount get_TickCount64 get_NewLine get_ProcessorCount get_CurrentManagedThreadId',
  'System.Diagnostics.Stopwatch GetTimestamp get_Elapsed get_ElapsedMilliseconds get_IsRunning',
  'System.Globalization.CultureInfo get_InvariantCulture get_CurrentCulture get_Name',
  'System.Text.StringBuilder .ctor get_Length get_Chars ToString get_Capacity Equals',
  'System.Text.RegularExpressions.Regex .ctor IsMatch Match Matches Replace Split Escape',
  'System.Text.RegularExpressions.Match get_Success get_Groups get_Value',
  'System.Text.RegularExpressions.GroupCollection get_Item get_Count',
  'System.Array get_Length get_LongLength get_Rank GetLength GetLowerBound GetUpperBound GetValue IndexOf LastIndexOf ' +
    'Clone Empty Exists Find FindAll FindIndex FindLast TrueForAll ConvertAll BinarySearch AsReadOnly GetEnumerator',
  'System.Runtime.CompilerServices.RuntimeHelpers GetHashCode get_OffsetToStringData GetSubArray',
  'System.Threading.Volatile Read',
  'System.Threading.Thread get_CurrentThread get_ManagedThreadId get_Name',
  'System.Threading.CancellationToken get_IsCancellationRequested ThrowIfCancellationRequested get_None get_CanBeCanceled',
  'System.Delegate Combine Remove Equals op_Equality op_Inequality',
  'System.MulticastDelegate op_Equality op_Inequality',
  'System.Threading.Tasks.Task get_CompletedTask FromResult FromException Delay Yield GetAwaiter get_IsCompleted ' +
    'ConfigureAwait get_Status WhenAll WhenAny get_Result get_IsFaulted get_IsCanceled',
  'System.Random .ctor',
  'System.Collections.Generic.CollectionExtensions GetValueOrDefault',
  'System.Lazy get_IsValueCreated',
  'System.IO.Path Combine GetFileName GetExtension GetFileNameWithoutExtension GetDirectoryName IsPathRooted ' +
    'ChangeExtension',
  'System.GC KeepAlive',
  'System.Threading.Interlocked Read',
  'System.MemoryExtensions AsSpan',
  'System.Span get_Length get_IsEmpty op_Implicit',
]);
/** These change the object that they are called on. */
const WRITES = nameTable([
  'System.Text.StringBuilder Append AppendLine AppendFormat AppendJoin Insert Remove Replace Clear set_Length set_Chars ' +
    'set_Capacity EnsureCapacity',
  'System.Runtime.CompilerServices.DefaultInterpolatedStringHandler *',
  'System.Random Next NextDouble NextBytes NextInt64',
  'System.HashCode Add ToHashCode',
  'System.Diagnostics.Stopwatch Start Stop Reset Restart',
  'System.Span set_Item get_Item Fill Clear',
]);
/** These change their first argument. */
const WRITES_FIRST = nameTable([
  'System.Array Sort Reverse Clear Resize Fill SetValue',
  'System.Runtime.CompilerServices.RuntimeHelpers InitializeArray',
  'System.Threading.Interlocked Increment Decrement Add Exchange CompareExchange And Or',
  'System.Threading.Volatile Write',
  'System.Threading.Monitor Enter Exit TryEnter Pulse PulseAll',
  'System.Runtime.InteropServices.CollectionsMarshal SetCount',
]);
/** Methods of iterators: a step changes only the position of the iterator. */
const STEPS = words('MoveNext get_Current Dispose Reset get_Key get_Value get_Entry');
/** Containers without change events. */
const CONTAINERS = words(
  'Generic.List Generic.Dictionary Generic.HashSet Generic.Queue Generic.Stack Generic.LinkedList',
  'Generic.LinkedListNode Generic.SortedDictionary Generic.SortedList Generic.SortedSet Generic.PriorityQueue',
  'Generic.IList Generic.ICollection Generic.IEnumerable Generic.IDictionary Generic.ISet Generic.IReadOnlyList',
  'Generic.IReadOnlyCollection Generic.IReadOnlyDictionary Generic.IReadOnlySet IList ICollection IEnumerable',
  'IDictionary ArrayList Hashtable Queue Stack SortedList BitArray ObjectModel.ReadOnlyCollection',
  'ObjectModel.ReadOnlyDictionary ObjectModel.Collection Concurrent.ConcurrentDictionary Concurrent.ConcurrentQueue',
  'Concurrent.ConcurrentStack Concurrent.ConcurrentBag',
);
const CONTAINER_READS = words(
  '.ctor get_Count get_Item get_Length Contains ContainsKey ContainsValue TryGetValue IndexOf LastIndexOf Find FindAll',
  'FindIndex FindLast FindLastIndex Exists TrueForAll ForEach ConvertAll BinarySearch ToArray GetRange AsReadOnly',
  'GetEnumerator get_Keys get_Values get_Comparer Peek TryPeek get_IsReadOnly get_First get_Last get_Next get_Previous',
  'get_Value get_Key IsSubsetOf IsSupersetOf IsProperSubsetOf IsProperSupersetOf Overlaps SetEquals get_Min get_Max',
  'GetViewBetween get_IsEmpty GetValueOrDefault get_Capacity Equals GetHashCode ToString get_SyncRoot',
  'get_IsSynchronized get_IsFixedSize Reverse IndexOfKey IndexOfValue get_List',
);
const CONTAINER_WRITES = words(
  'Add AddRange Insert InsertRange Remove RemoveAt RemoveAll RemoveRange RemoveWhere Clear set_Item Sort Enqueue',
  'Dequeue TryDequeue Push Pop TryPop TryAdd TryRemove TryUpdate AddOrUpdate GetOrAdd UnionWith IntersectWith ExceptWith',
  'SymmetricExceptWith AddFirst AddLast AddBefore AddAfter RemoveFirst RemoveLast TrimExcess EnsureCapacity',
  'set_Capacity set_Value TryTake PushRange',
);
const MAKES_NEW = words(
  'GetEnumerator ToArray ToList Split ToCharArray Clone MemberwiseClone GetRange FindAll ConvertAll ToDictionary',
  'ToHashSet GetBytes Matches',
);
/** These return the value that the caller gave, checked or in another type. */
const SAME_VALUE = words('Max Min Clamp Trim get_Value GetValueOrDefault op_Implicit op_Explicit ToString');
const SAME_VALUE_OWNERS = words('System.Math System.String System.Nullable System.Decimal');
/** These return an element of the sequence, which belongs to whoever put it there. */
const ELEMENT = /^(?:First|Last|Single|ElementAt|Max|Min)|^(?:Aggregate|AsEnumerable|Cast)$/;
/** Compilers call these to make, await and complete the tasks of async methods. */
const MACHINERY = /^System\.Runtime\.CompilerServices\.(?:.*(?:MethodBuilder|Awaiter|Awaitable)|IAsyncStateMachine$)/;
const COLLECTIONS = 'System.Collections.';

export const CLR: Platform = {
  follow: followIl,

  levelOf(call, notes) {
    // An object is disposed of, and one of the types in this code has a Dispose with effects.
    if (call.member.owner === 'System.IDisposable' && notes.includes('disposable')) return LEVEL.unknown;
    return levelOf(call);
  },

  resultOf(call) {
    const { member, receiver } = call;
    const { owner, name, isStatic } = member;
    if (name === '.ctor') return isApart(member) ? receiver : 'other';
    if (owner === 'System.Text.StringBuilder' && isIn(WRITES, member)) return receiver;
    if (owner.includes('Comparer') && isStatic && name.startsWith('get_')) return 'function';
    if ((owner === 'System.Linq.Enumerable' || MAKES_NEW.has(name)) && levelOf(call) === LEVEL.none)
      return ELEMENT.test(name) ? 'other' : 'fresh';
    return SAME_VALUE.has(name) && isSameValue(call) ? 'argument' : 'other';
  },

  contractsOf: () => ['any'],
};

function levelOf(call: PlatformCall): Level {
  const { member, receiver, arguments: args } = call;
  const { traits, name, parameters } = member;
  if (traits.includes('delegate') && name === 'Invoke') return receiver === 'function' ? LEVEL.none : LEVEL.unknown;
  const isPure = parameters.every(
    (letters, at) => !letters.includes('f') || args[at] === 'function' || args[at] === 'constant',
  );
  if (!isPure) return LEVEL.unknown;
  let level = ofItself(call);
  // Arguments passed by address or as a span are written.
  for (const [at, letters] of parameters.entries())
    if (letters.includes('w')) level = worst(level, levelOfWritingTo(args[at]));
  return level;
}

function ofItself({ member, receiver, arguments: args }: PlatformCall): Level {
  const { owner, traits, name, parameters, isStatic } = member;
  if (traits.includes('array')) return name === 'Get' || name === '.ctor' ? LEVEL.none : LEVEL.unknown;
  if (isIn(WRITES_FIRST, member)) {
    // The address is judged with all others. A lock counts as an effect of its own: its holder may wait for other
    // threads.
    if (!owner.endsWith('.Monitor') && parameters[0]?.includes('r')) return LEVEL.none;
    return levelOfWritingTo(isStatic ? args[0] : receiver);
  }
  if (owner === 'System.Array' && name === 'Copy') return levelOfWritingTo(args[args.length === 3 ? 1 : 2]);
  if (name === 'CopyTo' && (isContainer(owner) || owner === 'System.Array' || owner === 'System.String'))
    return args.reduce<Level>(
      (level, each, at) => (parameters[at]?.includes('p') ? level : worst(level, levelOfWritingTo(each))),
      LEVEL.none,
    );
  if (owner === 'System.String' || MACHINERY.test(owner)) return LEVEL.none;
  const isStepper = owner.endsWith('Enumerator') || traits.includes('enumerator');
  if (isStepper && STEPS.has(name)) return levelOfWritingTo(receiver);
  if (owner === 'System.IDisposable' && receiver !== 'held' && receiver !== 'this') return levelOfWritingTo(receiver);
  if (isIn(READS, member)) return LEVEL.none;
  if (isIn(WRITES, member)) return levelOfWritingTo(receiver);
  if (isContainer(owner)) return ofContainer(member, receiver);
  if (owner.startsWith(`${COLLECTIONS}Immutable.`)) {
    if (owner.endsWith('Interlocked')) return LEVEL.unknown;
    return owner.endsWith('Builder') ? levelOfWritingTo(receiver) : LEVEL.none;
  }
  const isHarmless = traits.includes('exception') && (name === '.ctor' || /^(?:get_|ThrowIf)/.test(name));
  return isHarmless ? LEVEL.none : LEVEL.unknown;
}

function ofContainer({ owner, name }: MemberFacts, receiver: Origin): Level {
  // List.Reverse changes the list itself; the extension method of the same name makes a new sequence.
  const isReverse = name === 'Reverse' && owner === `${COLLECTIONS}Generic.List`;
  if (isReverse || CONTAINER_WRITES.has(name)) return levelOfWritingTo(receiver);
  return CONTAINER_READS.has(name) ? LEVEL.none : LEVEL.unknown;
}

function isContainer(owner: string): boolean {
  return owner.startsWith(COLLECTIONS) && CONTAINERS.has(owner.slice(COLLECTIONS.length).replace(/\+.*$/, ''));
}

/** A constructor's object shares nothing with its arguments: it is no span, and no view of a list. */
function isApart({ owner, traits, parameters }: MemberFacts): boolean {
  if (traits.includes('exception')) return true;
  if (isContainer(owner) && !owner.startsWith(`${COLLECTIONS}ObjectModel.`)) return true;
  return parameters.every((letters) => /[ps]/.test(letters));
}

function isSameValue({ member: { owner, isStatic }, receiver, arguments: args }: PlatformCall): boolean {
  if (!SAME_VALUE_OWNERS.has(owner)) return false;
  let merged: Origin = isStatic ? 'constant' : receiver;
  for (const argument of args) merged = mergeOrigins(merged, argument);
  return merged === 'argument';
}
