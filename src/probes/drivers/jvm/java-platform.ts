/**
 * The effects of the JDK's methods. Assumption: the app's own collections keep to their contracts where a JDK interface
 * is called; collections that are seen to be passed to the JDK are examined.
 */
import type { MemberFacts } from '../../insight/effects/code-facts.ts';
import { isIn, nameTable, type Platform, type PlatformCall, words } from '../../insight/effects/platform.ts';
import { LEVEL, type Level, levelOfWritingTo, mergeOrigins, type Origin } from '../../insight/effects/value-origin.ts';
import { followBytecode } from './bytecode.ts';

/** Functions that these take as arguments must be known to be pure. */
const READS = nameTable([
  ...words(
    'java/lang/Integer java/lang/Long java/lang/Double java/lang/Float java/lang/Short java/lang/Byte java/lang/Boolean',
    'java/lang/Character java/lang/Number java/lang/Math java/lang/StrictMath java/lang/CharSequence',
    'java/lang/Comparable java/lang/Enum java/util/Objects java/util/Optional java/util/OptionalInt',
    'java/util/OptionalLong java/util/OptionalDouble java/util/UUID kotlin/jvm/internal/Intrinsics',
  ),
  'java/lang/Object <init> getClass equals hashCode toString',
  'java/lang/Record <init> equals hashCode toString',
  'java/lang/Class getName getSimpleName isInstance cast isAssignableFrom isArray getTypeName desiredAssertionStatus',
  'java/lang/System currentTimeMillis nanoTime identityHashCode lineSeparator getProperty getenv',
  'java/lang/Thread currentThread getName getId isAlive',
  'java/lang/Iterable iterator forEach spliterator',
  'java/lang/StringBuilder <init> length charAt toString indexOf lastIndexOf substring isEmpty',
  'java/lang/StringBuffer <init> length charAt toString indexOf lastIndexOf substring isEmpty',
  'java/util/StringJoiner <init> toString length',
  'java/util/Map$Entry getKey getValue comparingByKey comparingByValue',
  'java/util/Date <init> getTime before after compareTo toInstant',
  'java/util/Random <init>',
  'java/util/Locale getLanguage getCountry toLanguageTag forLanguageTag getDefault',
  'java/util/Currency getCurrencyCode getInstance getSymbol getDefaultFractionDigits',
  'java/util/BitSet <init> get cardinality nextSetBit nextClearBit length size isEmpty',
  'java/util/Iterator hasNext next',
  'java/util/ListIterator hasNext next hasPrevious previous nextIndex',
  'java/util/Enumeration hasMoreElements nextElement',
  'java/util/Arrays asList stream copyOf copyOfRange equals hashCode toString deepToString binarySearch',
  'java/util/Collections unmodifiableList unmodifiableSet unmodifiableMap unmodifiableCollection emptyList emptySet ' +
    'emptyMap singleton singletonList singletonMap max min frequency nCopies disjoint reverseOrder list',
  'java/util/concurrent/TimeUnit convert toNanos toMicros toMillis toSeconds toMinutes toHours toDays',
  'java/util/regex/Pattern compile matcher matches split pattern quote',
  'java/util/regex/Matcher matches find group groupCount start end lookingAt replaceAll replaceFirst',
  'kotlin/jvm/internal/Lambda <init>',
]);
const WRITES = nameTable([
  'java/lang/StringBuilder append insert delete deleteCharAt reverse setLength setCharAt replace appendCodePoint',
  'java/lang/StringBuffer append insert delete deleteCharAt reverse setLength setCharAt replace appendCodePoint',
  'java/util/StringJoiner add setEmptyValue',
  'java/util/BitSet set clear flip and or xor andNot',
  'java/util/Random nextInt nextLong nextDouble nextBoolean nextFloat nextGaussian',
  'java/util/Date setTime',
]);
const THROWABLE_WRITES = words('addSuppressed initCause setStackTrace fillInStackTrace');
/** These change their first argument. */
const WRITES_FIRST = nameTable([
  'java/util/Arrays sort fill setAll',
  'java/util/Collections sort shuffle reverse swap addAll fill rotate replaceAll',
]);
/** Containers, except those that pass their elements to other threads. */
const CONTAINERS = words(
  'Collection List Set Map Queue Deque SortedSet SortedMap NavigableSet NavigableMap SequencedCollection SequencedSet',
  'SequencedMap ArrayList LinkedList Vector Stack ArrayDeque PriorityQueue HashSet LinkedHashSet TreeSet HashMap',
  'LinkedHashMap TreeMap Hashtable Properties IdentityHashMap WeakHashMap EnumMap EnumSet AbstractList AbstractSet',
  'AbstractMap AbstractCollection AbstractQueue concurrent/ConcurrentMap concurrent/ConcurrentHashMap',
  'concurrent/ConcurrentSkipListMap concurrent/ConcurrentSkipListSet concurrent/ConcurrentLinkedQueue',
  'concurrent/ConcurrentLinkedDeque concurrent/CopyOnWriteArrayList concurrent/CopyOnWriteArraySet',
);
const CONTAINER_READS = words(
  '<init> size isEmpty get getOrDefault contains containsKey containsValue containsAll indexOf lastIndexOf iterator',
  'listIterator descendingIterator stream toArray subList keySet values entrySet firstKey lastKey floorKey ceilingKey',
  'higherKey lowerKey headMap tailMap subMap firstEntry lastEntry floorEntry ceilingEntry higherEntry lowerEntry peek',
  'peekFirst peekLast element getFirst getLast first last floor ceiling higher lower headSet tailSet subSet',
  'descendingSet descendingMap descendingKeySet navigableKeySet equals hashCode toString getKey getValue forEach of',
  'copyOf entry elementAt firstElement lastElement elements keys reversed noneOf allOf range',
);
const CONTAINER_WRITES = words(
  'add addAll put putAll putIfAbsent remove removeAll removeIf retainAll clear set replace replaceAll compute',
  'computeIfAbsent computeIfPresent merge sort push pop poll pollFirst pollLast offer offerFirst offerLast addFirst',
  'addLast removeFirst removeLast removeFirstOccurrence addElement insertElementAt removeElement removeAllElements',
  'setElementAt pollFirstEntry pollLastEntry trimToSize ensureCapacity setValue setProperty',
);
const ATOMIC_READS = words(
  '<init> get getPlain getAcquire getOpaque intValue longValue doubleValue toString sum length',
);
/** These return the value that the caller gave, checked or in another type. */
const SAME_VALUE = words(
  'requireNonNull requireNonNullElse valueOf intValue longValue doubleValue floatValue shortValue byteValue',
  'booleanValue charValue trim strip max min',
);
const MAKES_NEW = words(
  'iterator listIterator descendingIterator elements keys toArray split toCharArray getBytes copyOf copyOfRange matcher',
  'clone',
);
/** A lookup changes the order of a map that is ordered by access. */
const MAPS = words('java/util/Map java/util/HashMap java/util/LinkedHashMap java/util/AbstractMap');
const STREAMING = words('distinct sorted toSet joining groupingBy toMap max min');
const COLLECTIONS = /L(?:java\/lang\/(?:Iterable|CharSequence)|java\/util\/(?:Collection|List|Set|Map|Iterator));/;
/** A step of an iteration changes only the iterator: harmless where the method itself made it. */
const STEPPING = words('java/util/Iterator java/util/ListIterator java/util/Enumeration java/util/regex/Matcher');
const FUNCTION =
  /^L(?:java\/util\/function\/.*|java\/util\/Comparator|java\/util\/stream\/Collector|java\/time\/temporal\/Temporal(?:Adjuster|Query));$/;
const LOOKUP = ['equals', 'hashCode', 'compareTo'];
const ALL = ['toString', ...LOOKUP];

export const JAVA: Platform = {
  follow: followBytecode,

  levelOf(call, notes) {
    const level = levelOf(call);
    const { owner, name } = call.member;
    const mayReorder = (name === 'get' || name === 'getOrDefault') && call.receiver !== 'fresh' && MAPS.has(owner);
    const isByAccess = owner === 'java/util/LinkedHashMap' || notes.includes('access-order');
    if (level === LEVEL.unknown || !mayReorder || !isByAccess) return level;
    return levelOfWritingTo(call.receiver);
  },

  resultOf(call) {
    const { member, receiver } = call;
    if (member.name === '<init>') return 'other';
    if (member.owner.startsWith('java/lang/StringBu') && writes(member)) return receiver;
    const result = member.descriptor.slice(member.descriptor.indexOf(')') + 1);
    if (FUNCTION.test(result)) return levelOf(call) === LEVEL.none ? 'function' : 'other';
    const isStream = result.startsWith('Ljava/util/stream/');
    if (isStream || MAKES_NEW.has(member.name)) {
      if (levelOf(call) === LEVEL.none) return 'fresh';
      if (isStream) return 'other';
    }
    return SAME_VALUE.has(member.name) && isSameValue(call) ? 'argument' : 'other';
  },

  contractsOf({ member }) {
    return COLLECTIONS.test(parametersOf(member)) ? [...contractsOf(member), 'reading'] : contractsOf(member);
  },
};

function levelOf(call: PlatformCall): Level {
  const { member, receiver, arguments: args } = call;
  const { owner, name, descriptor, isStatic } = member;
  if (!areFunctionsPure(call)) return LEVEL.unknown;
  if (owner.startsWith('[')) return name === 'clone' ? LEVEL.none : LEVEL.unknown;
  if (isIn(WRITES_FIRST, member)) return levelOfWritingTo(args[0]);
  if (name === 'arraycopy' && owner === 'java/lang/System') return levelOfWritingTo(args[2]);
  // `Character.toChars(int, char[], int)`, `String.getBytes(int, int, byte[], int)`.
  if (owner === 'java/lang/Character' && descriptor.startsWith('(I[CI')) return LEVEL.unknown;
  if (owner === 'java/lang/String' && descriptor.startsWith('(II[BI)V')) return LEVEL.unknown;
  const isRead = reads(call);
  // A stream can be used once.
  const isOnce =
    (owner.startsWith('java/util/stream/') && !isStatic && !owner.endsWith('Collectors')) || STEPPING.has(owner);
  if (isOnce) return isRead ? levelOfWritingTo(receiver) : LEVEL.unknown;
  // The elements go into the given array, if it is large enough.
  if (name === 'toArray' && descriptor.startsWith('([')) return levelOfWritingTo(args[0]);
  if (isRead) return LEVEL.none;
  return writes(member) ? levelOfWritingTo(receiver) : LEVEL.unknown;
}

function reads({ member, receiver }: PlatformCall): boolean {
  const { owner, name, descriptor, isStatic } = member;
  if (isIn(READS, member)) return true;
  if (owner === 'java/lang/String') return name !== 'getChars';
  if (owner.startsWith('java/math/')) return true;
  if (owner.startsWith('java/time/')) return !owner.endsWith('Builder') && name !== 'formatTo';
  if (owner.startsWith('java/util/stream/')) {
    // `toCollection(() -> list)`: the elements go into an object that any code may own.
    const fillsWhatIsSupplied = descriptor.includes('java/util/function/Supplier') && name !== 'generate';
    return name !== 'onClose' && name !== 'parallel' && !fillsWhatIsSupplied;
  }
  // Applied or combined: harmless when the function is.
  if (owner.startsWith('java/util/function/') || owner === 'java/util/Comparator')
    return isStatic || receiver === 'function';
  if (owner.startsWith('java/util/concurrent/atomic/')) return ATOMIC_READS.has(name);
  if (isContainer(owner)) return CONTAINER_READS.has(name);
  return isThrowable(owner) && (name === '<init>' || name.startsWith('get') || name === 'toString');
}

function writes(member: MemberFacts): boolean {
  const { owner, name } = member;
  if (isIn(WRITES, member)) return true;
  if (owner.startsWith('java/util/concurrent/atomic/')) return !ATOMIC_READS.has(name);
  if (isThrowable(owner)) return THROWABLE_WRITES.has(name);
  return isContainer(owner) && CONTAINER_WRITES.has(name);
}

function contractsOf(member: MemberFacts): readonly string[] {
  const { owner, name, descriptor } = member;
  const isOfText =
    owner === 'java/lang/String' || owner.startsWith('java/lang/StringBu') || owner === 'java/util/StringJoiner';
  const takesObject = parametersOf(member).includes('Ljava/lang/Object;') || name === 'join' || name === 'format';
  if (isOfText) return takesObject || descriptor.startsWith('([Ljava/lang/Object;') ? ['toString'] : [];
  if (owner === 'java/lang/Object') {
    return name === 'toString' ? [name] : name === 'equals' || name === 'hashCode' ? ['equals', 'hashCode'] : [];
  }
  if (owner === 'java/util/Objects') return name.startsWith('require') ? [] : ALL;
  if (owner === 'java/lang/Comparable') return ['compareTo'];
  if (owner === 'java/util/Arrays' || owner === 'java/util/Collections') return ALL;
  if (owner.startsWith('java/util/stream/')) return STREAMING.has(name) ? ALL : [];
  if (!isContainer(owner)) return [];
  if (name === 'toString') return [name];
  return takesObject || name.endsWith('All') || name === 'sort' ? LOOKUP : [];
}

function isSameValue({ member: { owner, isStatic }, receiver, arguments: args }: PlatformCall): boolean {
  if (!owner.startsWith('java/lang/') && owner !== 'java/util/Objects') return false;
  let merged: Origin = isStatic ? 'constant' : receiver;
  for (const argument of args) merged = mergeOrigins(merged, argument);
  return merged === 'argument';
}

function areFunctionsPure({ member, arguments: args }: PlatformCall): boolean {
  if (!/java\/(?:util|time\/temporal)\//.test(member.descriptor)) return true;
  const types = parametersOf(member).match(/\[*(?:L[^;]*;|[A-Z])/g) ?? [];
  return types.every((type, at) => !FUNCTION.test(type) || args[at] === 'function' || args[at] === 'constant');
}

function parametersOf({ descriptor }: MemberFacts): string {
  return descriptor.slice(1, descriptor.indexOf(')'));
}

function isContainer(owner: string): boolean {
  return owner.startsWith('java/util/') && CONTAINERS.has(owner.slice('java/util/'.length));
}

function isThrowable(owner: string): boolean {
  return /(?:Exception|Error)$/.test(owner) || owner === 'java/lang/Throwable';
}
