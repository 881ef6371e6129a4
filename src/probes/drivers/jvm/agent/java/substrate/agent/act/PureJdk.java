package substrate.agent.act;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * What methods of the JDK do, as far as effects are to be judged. Taken as read: the app's own collections keep to
 * their contracts where a JDK interface is called; those that are seen to be given to the JDK are looked at.
 */
final class PureJdk {
    /** A star: all methods. What they take as functions must be known to be pure. */
    private static final Map<String, Set<String>> READS = table(
        "java/lang/Object <init> getClass equals hashCode toString",
        "java/lang/Integer *", "java/lang/Long *", "java/lang/Double *", "java/lang/Float *", "java/lang/Short *",
        "java/lang/Byte *", "java/lang/Boolean *", "java/lang/Character *", "java/lang/Number *", "java/lang/Math *",
        "java/lang/StrictMath *", "java/lang/CharSequence *", "java/lang/Comparable *", "java/lang/Enum *",
        "java/lang/Record <init> equals hashCode toString",
        "java/lang/Class getName getSimpleName isInstance cast isAssignableFrom isArray getTypeName "
            + "desiredAssertionStatus",
        "java/lang/System currentTimeMillis nanoTime identityHashCode lineSeparator getProperty getenv",
        "java/lang/Thread currentThread getName getId isAlive", "java/lang/Iterable iterator forEach spliterator",
        "java/lang/StringBuilder <init> length charAt toString indexOf lastIndexOf substring isEmpty",
        "java/lang/StringBuffer <init> length charAt toString indexOf lastIndexOf substring isEmpty",
        "java/util/StringJoiner <init> toString length", "java/util/Objects *", "java/util/Optional *",
        "java/util/OptionalInt *", "java/util/OptionalLong *", "java/util/OptionalDouble *", "java/util/UUID *",
        "java/util/Map$Entry getKey getValue comparingByKey comparingByValue",
        "java/util/Date <init> getTime before after compareTo toInstant", "java/util/Random <init>",
        "java/util/Locale getLanguage getCountry toLanguageTag forLanguageTag getDefault",
        "java/util/Currency getCurrencyCode getInstance getSymbol getDefaultFractionDigits",
        "java/util/BitSet <init> get cardinality nextSetBit nextClearBit length size isEmpty",
        "java/util/Iterator hasNext next", "java/util/ListIterator hasNext next hasPrevious previous nextIndex",
        "java/util/Enumeration hasMoreElements nextElement",
        "java/util/Arrays asList stream copyOf copyOfRange equals hashCode toString deepToString binarySearch",
        "java/util/Collections unmodifiableList unmodifiableSet unmodifiableMap unmodifiableCollection "
            + "emptyList emptySet "
            + "emptyMap singleton singletonList singletonMap max min frequency nCopies disjoint reverseOrder list",
        "java/util/concurrent/TimeUnit convert toNanos toMicros toMillis toSeconds toMinutes toHours toDays",
        "java/util/regex/Pattern compile matcher matches split pattern quote",
        "java/util/regex/Matcher matches find group groupCount start end lookingAt replaceAll replaceFirst",
        "kotlin/jvm/internal/Intrinsics *", "kotlin/jvm/internal/Lambda <init>");

    /** By these the JDK goes through a collection, a map or a text of the app's own make. */
    static final Set<String> READING = words(
        "iterator spliterator stream forEach size isEmpty get contains containsKey indexOf toArray listIterator "
            + "entrySet keySet values hasNext next length charAt subSequence");
    private static final Set<String> COLLECTIONS = words(
        "Ljava/lang/Iterable; Ljava/util/Collection; Ljava/util/List; Ljava/util/Set; Ljava/util/Map; "
            + "Ljava/util/Iterator; Ljava/lang/CharSequence;");
    private static final Set<String> CONTAINER_READS = words(
        "<init> size isEmpty get getOrDefault contains containsKey containsValue containsAll indexOf "
            + "lastIndexOf iterator "
            + "listIterator descendingIterator stream toArray subList keySet values entrySet firstKey lastKey floorKey "
            + "ceilingKey higherKey lowerKey headMap tailMap subMap firstEntry lastEntry floorEntry ceilingEntry "
            + "higherEntry lowerEntry peek peekFirst peekLast element getFirst getLast first last floor ceiling higher "
            + "lower headSet tailSet subSet descendingSet descendingMap descendingKeySet navigableKeySet "
            + "equals hashCode "
            + "toString getKey getValue forEach of copyOf entry elementAt firstElement lastElement elements "
            + "keys reversed "
            + "noneOf allOf range");
    private static final Set<String> CONTAINER_WRITES = words(
        "add addAll put putAll putIfAbsent remove removeAll removeIf retainAll clear set replace replaceAll compute "
            + "computeIfAbsent computeIfPresent merge sort push pop poll pollFirst pollLast offer offerFirst offerLast "
            + "addFirst addLast removeFirst removeLast removeFirstOccurrence addElement insertElementAt removeElement "
            + "removeAllElements setElementAt pollFirstEntry pollLastEntry trimToSize ensureCapacity setValue "
            + "setProperty");
    /** Containers, but not those that hand what they get to other threads. */
    private static final Set<String> CONTAINERS = words(
        "Collection List Set Map Queue Deque SortedSet SortedMap NavigableSet NavigableMap SequencedCollection "
            + "SequencedSet SequencedMap ArrayList LinkedList Vector Stack ArrayDeque PriorityQueue HashSet "
            + "LinkedHashSet "
            + "TreeSet HashMap LinkedHashMap TreeMap Hashtable Properties IdentityHashMap WeakHashMap EnumMap EnumSet "
            + "AbstractList AbstractSet AbstractMap AbstractCollection AbstractQueue concurrent/ConcurrentMap "
            + "concurrent/ConcurrentHashMap concurrent/ConcurrentSkipListMap concurrent/ConcurrentSkipListSet "
            + "concurrent/ConcurrentLinkedQueue concurrent/ConcurrentLinkedDeque concurrent/CopyOnWriteArrayList "
            + "concurrent/CopyOnWriteArraySet");
    private static final Map<String, Set<String>> WRITES = table(
        "java/lang/StringBuilder append insert delete deleteCharAt reverse setLength setCharAt replace appendCodePoint",
        "java/lang/StringBuffer append insert delete deleteCharAt reverse setLength setCharAt replace appendCodePoint",
        "java/util/StringJoiner add setEmptyValue", "java/util/BitSet set clear flip and or xor andNot",
        "java/util/Random nextInt nextLong nextDouble nextBoolean nextFloat nextGaussian", "java/util/Date setTime",
        "java/lang/Throwable addSuppressed initCause setStackTrace fillInStackTrace");
    /** What these change is their first argument. */
    private static final Map<String, Set<String>> WRITES_FIRST = table(
        "java/util/Arrays sort fill setAll",
        "java/util/Collections sort shuffle reverse swap addAll fill rotate replaceAll");
    private static final Set<String> ATOMIC_READS = words(
        "<init> get getPlain getAcquire getOpaque intValue longValue doubleValue toString sum length");
    /** What the caller gave, checked or in another dress: it is still that. */
    private static final Set<String> SAME_VALUE = words(
        "requireNonNull requireNonNullElse valueOf intValue longValue doubleValue floatValue shortValue byteValue "
            + "booleanValue charValue trim strip max min");
    private static final Set<String> MAKES_NEW = words(
        "iterator listIterator descendingIterator elements keys toArray split toCharArray getBytes copyOf copyOfRange "
            + "matcher clone");

    private static final Set<String> MAPS = words(
        "java/util/Map java/util/HashMap java/util/LinkedHashMap java/util/AbstractMap");
    private static final Set<String> STREAMING = words("distinct sorted toSet joining groupingBy toMap max min");
    private static final String TO_STRING = "toString()Ljava/lang/String;";
    private static final String EQUALS = "equals(Ljava/lang/Object;)Z";
    private static final String HASH_CODE = "hashCode()I";
    private static final String COMPARE_TO = "compareTo(Ljava/lang/Object;)I";
    private static final String[] NO_CONTRACTS = {};
    private static final String[] TEXT = {TO_STRING};
    private static final String[] ORDER = {COMPARE_TO};
    private static final String[] SAMENESS = {EQUALS, HASH_CODE};
    private static final String[] LOOKUP = {EQUALS, HASH_CODE, COMPARE_TO};
    private static final String[] ALL = {TO_STRING, EQUALS, HASH_CODE, COMPARE_TO};

    private PureJdk() {}

    static boolean knows(String owner) {
        return owner.startsWith("java/") || owner.startsWith("javax/") || owner.startsWith("[")
            || owner.startsWith("kotlin/jvm/internal/");
    }

    /** What a call of the JDK does: a level of Effects. */
    static int level(Call call) {
        if (!functionsArePure(call)) return Effects.UNKNOWN;
        if (call.owner.startsWith("[")) return call.name.equals("clone") ? Effects.NONE : Effects.UNKNOWN;
        if (isIn(WRITES_FIRST, call.owner, call.name)) return ofWritingTo(call.arguments[0]);
        boolean isCopying = call.name.equals("arraycopy") && call.owner.equals("java/lang/System");
        if (isCopying) return ofWritingTo(call.arguments[2]);
        if (fillsGivenArray(call)) return Effects.UNKNOWN;
        // A stream can be used once.
        if (call.owner.startsWith("java/util/stream/") && !call.isStatic && !call.owner.endsWith("Collectors")) {
            return reads(call) ? ofWritingTo(call.receiver) : Effects.UNKNOWN;
        }
        // Into the given array, if it is large enough.
        if (call.name.equals("toArray") && call.descriptor.startsWith("([")) return ofWritingTo(call.arguments[0]);
        if (isStepping(call.owner)) return reads(call) ? ofWritingTo(call.receiver) : Effects.UNKNOWN;
        if (reads(call)) return Effects.NONE;
        return writes(call) ? ofWritingTo(call.receiver) : Effects.UNKNOWN;
    }

    /** Whether a look-up may change the order of a map; see Effects. */
    static boolean mayReorder(Call call) {
        boolean isLookup = call.name.equals("get") || call.name.equals("getOrDefault");
        return isLookup && call.receiver != ValueOrigin.FRESH && MAPS.contains(call.owner);
    }

    /** The methods that a call of the JDK may call on what it is given or holds. */
    static String[] contractsOf(Call call) {
        String owner = call.owner;
        boolean isOfText = owner.equals("java/lang/String") || owner.startsWith("java/lang/StringBu")
            || owner.equals("java/util/StringJoiner");
        boolean takesObject = call.descriptor.indexOf("Ljava/lang/Object;") >= 0
            && call.descriptor.indexOf("Ljava/lang/Object;") < call.descriptor.indexOf(')')
            || call.descriptor.startsWith("([Ljava/lang/Object;") || call.name.equals("join")
            || call.name.equals("format");
        if (isOfText) return takesObject ? TEXT : NO_CONTRACTS;
        if (owner.equals("java/lang/Object")) return ofObject(call.name);
        if (owner.equals("java/util/Objects")) return call.name.startsWith("require") ? NO_CONTRACTS : ALL;
        if (owner.equals("java/lang/Comparable")) return ORDER;
        if (owner.equals("java/util/Arrays") || owner.equals("java/util/Collections")) return ALL;
        if (owner.startsWith("java/util/stream/")) return STREAMING.contains(call.name) ? ALL : NO_CONTRACTS;
        if (!isContainer(owner)) return NO_CONTRACTS;
        if (call.name.equals("toString")) return TEXT;
        return takesObject || call.name.endsWith("All") || call.name.equals("sort") ? LOOKUP : NO_CONTRACTS;
    }

    /** It may go through what it is given. */
    static boolean takesCollection(Call call) {
        if (!knows(call.owner)) return false;
        for (String type : Descriptor.parameters(call.descriptor)) if (COLLECTIONS.contains(type)) return true;
        return false;
    }

    static boolean isCollection(Class<?> type) {
        return Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
            || Iterator.class.isAssignableFrom(type) || CharSequence.class.isAssignableFrom(type);
    }

    private static String[] ofObject(String name) {
        if (name.equals("toString")) return TEXT;
        return name.equals("equals") || name.equals("hashCode") ? SAMENESS : NO_CONTRACTS;
    }

    /** The kind of what a call brings. */
    static byte result(Call call) {
        if (call.name.equals("<init>") || !knows(call.owner)) return ValueOrigin.OTHER;
        if (call.owner.startsWith("java/lang/StringBu") && writes(call)) return call.receiver;
        if (isFunction(call.descriptor.substring(call.descriptor.indexOf(')') + 1))) {
            return level(call) == Effects.NONE ? ValueOrigin.FUNCTION : ValueOrigin.OTHER;
        }
        boolean isStream = call.descriptor.indexOf(")Ljava/util/stream/") > 0;
        if (isStream || MAKES_NEW.contains(call.name)) {
            if (level(call) == Effects.NONE) return ValueOrigin.FRESH;
            if (isStream) return ValueOrigin.OTHER;
        }
        return SAME_VALUE.contains(call.name) && isSameValue(call) ? ValueOrigin.ARGUMENT : ValueOrigin.OTHER;
    }

    private static boolean isSameValue(Call call) {
        if (!call.owner.startsWith("java/lang/") && !call.owner.equals("java/util/Objects")) return false;
        byte merged = call.isStatic ? ValueOrigin.CONSTANT : call.receiver;
        for (byte argument : call.arguments) merged = ValueOrigin.merge(merged, argument);
        return merged == ValueOrigin.ARGUMENT;
    }

    /** Going on in an iteration changes the iteration only: harmless where the method itself began it. */
    private static boolean isStepping(String owner) {
        return owner.equals("java/util/Iterator") || owner.equals("java/util/ListIterator")
            || owner.equals("java/util/Enumeration") || owner.equals("java/util/regex/Matcher");
    }

    /** `Character.toChars(int, char[], int)`, `String.getBytes(int, int, byte[], int)`. */
    private static boolean fillsGivenArray(Call call) {
        if (call.owner.equals("java/lang/Character")) return call.descriptor.startsWith("(I[CI");
        return call.owner.equals("java/lang/String") && call.descriptor.startsWith("(II[BI)V");
    }

    static int ofWritingTo(byte kind) {
        if (kind == ValueOrigin.FRESH) return Effects.NONE;
        return kind == ValueOrigin.HELD || kind == ValueOrigin.THIS ? Effects.OWN : Effects.UNKNOWN;
    }

    private static boolean reads(Call call) {
        String owner = call.owner;
        String name = call.name;
        if (isIn(READS, owner, name)) return true;
        if (owner.equals("java/lang/String")) return !name.equals("getChars");
        if (owner.startsWith("java/math/")) return true;
        if (owner.startsWith("java/time/")) return !owner.endsWith("Builder") && !name.equals("formatTo");
        if (owner.startsWith("java/util/stream/")) {
            return !name.equals("onClose") && !name.equals("parallel") && !fillsWhatIsSupplied(call);
        }
        // Applied or combined: harmless when the function is.
        if (owner.startsWith("java/util/function/") || owner.equals("java/util/Comparator")) {
            return call.isStatic || call.receiver == ValueOrigin.FUNCTION;
        }
        if (owner.startsWith("java/util/concurrent/atomic/")) return ATOMIC_READS.contains(name);
        if (isContainer(owner)) return CONTAINER_READS.contains(name);
        return isThrowable(owner) && (name.equals("<init>") || name.startsWith("get") || name.equals("toString"));
    }

    /** `toCollection(() -> list)`: what is collected goes into an object that may be anybody's. */
    private static boolean fillsWhatIsSupplied(Call call) {
        return call.descriptor.indexOf("java/util/function/Supplier") >= 0 && !call.name.equals("generate");
    }

    private static boolean writes(Call call) {
        if (isIn(WRITES, call.owner, call.name)) return true;
        if (call.owner.startsWith("java/util/concurrent/atomic/")) return !ATOMIC_READS.contains(call.name);
        if (isThrowable(call.owner)) return isIn(WRITES, "java/lang/Throwable", call.name);
        return isContainer(call.owner) && CONTAINER_WRITES.contains(call.name);
    }

    private static boolean isContainer(String owner) {
        return owner.startsWith("java/util/") && CONTAINERS.contains(owner.substring("java/util/".length()));
    }

    private static boolean isThrowable(String owner) {
        return owner.endsWith("Exception") || owner.endsWith("Error") || owner.equals("java/lang/Throwable");
    }

    private static boolean functionsArePure(Call call) {
        String all = call.descriptor;
        if (all.indexOf("java/util/") < 0 && all.indexOf("java/time/temporal/") < 0) return true;
        String[] types = Descriptor.parameters(call.descriptor);
        for (int at = 0; at < types.length; at++) {
            byte kind = call.arguments[at];
            if (isFunction(types[at]) && kind != ValueOrigin.FUNCTION && kind != ValueOrigin.CONSTANT) return false;
        }
        return true;
    }

    private static boolean isFunction(String type) {
        return type.startsWith("Ljava/util/function/") || type.equals("Ljava/util/Comparator;")
            || type.equals("Ljava/util/stream/Collector;") || type.equals("Ljava/time/temporal/TemporalAdjuster;")
            || type.equals("Ljava/time/temporal/TemporalQuery;");
    }

    private static boolean isIn(Map<String, Set<String>> table, String owner, String name) {
        Set<String> names = table.get(owner);
        return names != null && (names.contains(name) || names.contains("*"));
    }

    private static Map<String, Set<String>> table(String... lines) {
        Map<String, Set<String>> table = new HashMap<String, Set<String>>();
        for (String line : lines) {
            int space = line.indexOf(' ');
            table.put(line.substring(0, space), words(line.substring(space + 1)));
        }
        return table;
    }

    private static Set<String> words(String text) {
        Set<String> words = new HashSet<String>();
        for (int at = 0; at < text.length();) {
            int space = text.indexOf(' ', at);
            int end = space < 0 ? text.length() : space;
            words.add(text.substring(at, end));
            at = end + 1;
        }
        return words;
    }
}
