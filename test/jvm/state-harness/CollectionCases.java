package harness;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Each collection of java.util is shown as Java itself says that it is. */
final class CollectionCases {
    enum Colour { RED, GREEN, BLUE }

    private CollectionCases() {}

    static void lists() {
        List<List<Object>> contents = Arrays.asList(
            Collections.<Object>emptyList(), Arrays.<Object>asList("a"), Arrays.<Object>asList(1, 2), Arrays.<Object>asList("a", 2, true, null, 1.5));
        for (List<Object> content : contents) {
            checkList(new ArrayList<>(content));
            checkList(new LinkedList<>(content));
            checkList(new Vector<>(content));
            checkList(Arrays.asList(content.toArray()));
            checkList(new CopyOnWriteArrayList<>(content));
            checkList(Collections.unmodifiableList(new ArrayList<>(content)));
            checkList(Collections.synchronizedList(new LinkedList<>(content)));
            checkList(Collections.checkedList(new ArrayList<>(content), Object.class));
            List<Object> twice = new ArrayList<>(content);
            twice.addAll(content);
            checkList(twice.subList(content.size() / 2, content.size()));
            if (content.contains(null)) continue;
            checkList(new ArrayDeque<>(content));
            checkList(new ConcurrentLinkedQueue<>(content));
            checkList(new ConcurrentLinkedDeque<>(content));
            checkList(new LinkedBlockingQueue<>(content));
            checkList(new LinkedBlockingDeque<>(content));
            ArrayBlockingQueue<Object> ring = new ArrayBlockingQueue<>(5);
            ring.add(1);
            ring.add(2);
            ring.poll();
            ring.poll();
            ring.addAll(content);
            checkList(ring);
            checkList(List.of(content.toArray()));
            checkList(List.copyOf(content).subList(0, content.size() / 2));
        }
        Stack<String> stack = new Stack<>();
        stack.push("a");
        checkList(stack);
        checkList(Collections.singletonList("one"));
        checkList(Collections.emptyList());
        checkList(Collections.nCopies(3, "x"));
        checkList(new PriorityQueue<>(Arrays.asList(3, 1, 2)));
        checkList(new PriorityBlockingQueue<>(Arrays.asList(3, 1, 2)));
        ArrayDeque<Integer> deque = new ArrayDeque<>(4);
        for (int at = 0; at < 10; at++) {
            deque.addLast(at);
            if (at % 3 == 0) deque.pollFirst();
        }
        checkList(deque);
        ConcurrentLinkedDeque<Object> pushed = new ConcurrentLinkedDeque<>();
        pushed.push("one");
        // Read before Java is asked: asking moves what lags behind.
        Check.same("pushed", "[0]=one length=1", Subject.shown(pushed));
        for (int at = 0; at < 5; at++) pushed.push(at);
        Check.same("pushed again", "[0]=4 [1]=3 [2]=2 [3]=1 [4]=0 [5]=one length=6", Subject.shown(pushed));
        pushed.removeLast();
        pushed.removeFirst();
        checkList(pushed);
        movedWhileRead(new LinkedBlockingQueue<>());
        movedWhileRead(new ConcurrentLinkedQueue<>());
        movedWhileRead(new ConcurrentLinkedDeque<>());
        movedWhileRead(new LinkedBlockingDeque<>());
        Check.same("array", "[0]=1 [1]=null [2]=b length=3", Subject.shown(new Object[] {1, null, "b"}));
        Check.same("ints", "[0]=1 [1]=2 length=2", Subject.shown(new int[] {1, 2}));
        Check.same("atomic array", "[0]=7 length=1", Subject.shown(new AtomicIntegerArray(new int[] {7})));
        Check.same("references", "[0]=r length=1", Subject.shown(new AtomicReferenceArray<>(new String[] {"r"})));
    }

    /** As by another thread: what is just read is taken out, with what comes next, and put to the end. */
    private static void movedWhileRead(Queue<Object> queue) {
        for (int at = 0; at < 1000; at++) queue.add("e" + at);
        List<Object> read = new ArrayList<>();
        Readings.each(queue, element -> {
            read.add(element);
            if (read.size() % 3 != 0) return;
            for (int count = 0; count < 10; count++) queue.add(queue.poll());
        });
        Check.same("start of " + queue.getClass(), Arrays.asList("e0", "e1", "e2"), read.subList(0, 3));
        Check.same("as many as were counted in " + queue.getClass(), 1000, read.size());
    }

    private static void checkList(Collection<?> list) {
        String expected = (Subject.list(list.toArray()) + " length=" + list.size()).trim();
        Check.same(list.getClass().getName(), expected, Subject.shown(list));
    }

    static void sets() {
        List<Set<Object>> sets = new ArrayList<>();
        for (int size : new int[] {0, 1, 2, 9}) {
            List<Object> content = new ArrayList<>();
            for (int at = 0; at < size; at++) content.add("m" + at * 7);
            sets.add(new HashSet<>(content));
            sets.add(new LinkedHashSet<>(content));
            sets.add(new TreeSet<>(content));
            sets.add(new ConcurrentSkipListSet<>(content));
            sets.add(new CopyOnWriteArraySet<>(content));
            sets.add(Collections.unmodifiableSet(new HashSet<>(content)));
            sets.add(Collections.synchronizedSet(new TreeSet<>(content)));
            Set<Object> concurrent = ConcurrentHashMap.newKeySet();
            concurrent.addAll(content);
            sets.add(concurrent);
            Set<Object> identity = Collections.newSetFromMap(new IdentityHashMap<>());
            identity.addAll(content);
            sets.add(identity);
            sets.add(Set.copyOf(content));
            Set<Object> wrapped = Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<>()));
            wrapped.addAll(content);
            sets.add(wrapped);
            TreeSet<Object> sorted = new TreeSet<>(content);
            ConcurrentSkipListSet<Object> skipping = new ConcurrentSkipListSet<>(content);
            sets.add(sorted.descendingSet());
            sets.add(sorted.tailSet("m14"));
            sets.add(sorted.headSet("m14", true).descendingSet());
            sets.add(sorted.subSet("m1", false, "m3", false));
            sets.add(skipping.descendingSet());
            sets.add(skipping.tailSet("m14", false));
            sets.add(new TreeMap<Object, Object>(Map.of("k", 1)).navigableKeySet());
        }
        sets.add(Collections.<Object>singleton("s"));
        sets.add(new HashMap<Object, Object>(Map.of("k", 1)).keySet());
        sets.add(new HashSet<Object>(EnumSet.of(Colour.RED, Colour.BLUE)));
        for (Set<Object> set : sets)
            // Set.of goes through its elements forwards or backwards, as it likes.
            if (set.getClass().getName().contains("Immutable"))
                Check.same(set.getClass().getName(), set, new HashSet<>(valuesOf(Subject.of(set).full())));
            else Check.same(set.getClass().getName(), (Subject.list(set.toArray()) + " size=" + set.size()).trim(), Subject.shown(set));
        Check.same("set over an unknown map", "", Subject.shown(Collections.newSetFromMap(new UnknownMap())));
        TreeSet<String> byApp = new TreeSet<>(Comparator.comparing(String::length));
        byApp.addAll(Arrays.asList("a", "bb", "ccc"));
        Check.same("bounds that only the app compares", "", Subject.shown(byApp.tailSet("bb")));
        Check.same("no bounds", "[0]=ccc [1]=bb [2]=a size=3", Subject.shown(byApp.descendingSet()));
        Check.same("EnumSet", "[0]=RED [1]=BLUE size=2", Subject.shown(EnumSet.of(Colour.RED, Colour.BLUE)));
    }

    static final class UnknownMap extends AbstractMap<Object, Boolean> {
        @Override
        public Set<Map.Entry<Object, Boolean>> entrySet() {
            return Collections.emptySet();
        }
    }

    private static Collection<Object> valuesOf(Map<String, Object> state) {
        state.remove("x.size");
        return state.values();
    }

    static void maps() {
        List<Map<Object, Object>> maps = new ArrayList<>();
        for (int size : new int[] {0, 1, 2, 50}) {
            Map<Object, Object> content = new LinkedHashMap<>();
            for (int at = 0; at < size; at++) content.put("k" + at * 3, at);
            maps.add(new HashMap<>(content));
            maps.add(new LinkedHashMap<>(content));
            maps.add(new TreeMap<>(content));
            maps.add(new Hashtable<>(content));
            maps.add(new ConcurrentHashMap<>(content));
            maps.add(new ConcurrentSkipListMap<>(content));
            maps.add(new IdentityHashMap<>(content));
            Check.same("WeakHashMap", "size=" + size, Subject.shown(new WeakHashMap<>(content)));
            maps.add(new TreeMap<>(content).descendingMap());
            maps.add(new TreeMap<>(content).tailMap("k3"));
            maps.add(new ConcurrentSkipListMap<>(content).headMap("k3", true));
            maps.add(Collections.unmodifiableMap(new HashMap<>(content)));
            maps.add(Collections.synchronizedMap(new TreeMap<>(content)));
            maps.add(Map.copyOf(content));
            Properties properties = new Properties();
            properties.putAll(content);
            maps.add(properties);
        }
        maps.add(Collections.<Object, Object>singletonMap("k", 1));
        maps.add(Collections.<Object, Object>emptyMap());
        for (Map<Object, Object> map : maps) {
            TreeMap<String, Object> expected = new TreeMap<>();
            for (Map.Entry<Object, Object> entry : map.entrySet()) expected.put((String) entry.getKey(), entry.getValue());
            expected.put("size", map.size());
            StringBuilder text = new StringBuilder();
            for (Map.Entry<String, Object> entry : expected.entrySet()) text.append(entry.getKey()).append('=').append(entry.getValue()).append(' ');
            Check.same(map.getClass().getName(), text.toString().trim(), Subject.shown(map));
        }
    }

    /** Many keys with one hash make tree bins. */
    static void treeBins() {
        final class Same implements Comparable<Same> {
            final int number;

            Same(int number) {
                this.number = number;
            }

            @Override
            public int hashCode() {
                return 1;
            }

            @Override
            public boolean equals(Object other) {
                return other == this;
            }

            @Override
            public int compareTo(Same other) {
                return number - other.number;
            }
        }
        for (Map<Object, Object> map : Arrays.<Map<Object, Object>>asList(new HashMap<>(), new ConcurrentHashMap<>(), new LinkedHashMap<>())) {
            for (int at = 0; at < 100; at++) map.put(new Same(at), at);
            Map<String, Object> state = Subject.of(map).full();
            Set<Object> values = new TreeSet<>();
            for (int at = 0; at < 100; at++) {
                Check.same("value", state.get("x[" + at + "].key.number"), state.get("x[" + at + "].value"));
                values.add(state.get("x[" + at + "].value"));
            }
            Check.same("all values of " + map.getClass(), 100, values.size());
        }
    }

    static void keys() {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("odd key", 1);
        map.put(7, "seven");
        map.put(Colour.RED, "red");
        map.put(true, "yes");
        map.put('c', "letter");
        map.put(UUID.fromString("00000000-0000-0001-0000-000000000002"), "uuid");
        map.put(String.class, "class");
        map.put("size", "hidden by the count");
        map.put("quote\"back\\", 2);
        char[] longKey = new char[1001];
        Arrays.fill(longKey, 'k');
        map.put(new String(longKey), 3);
        Check.same("keys", "RED=red [\"00000000-0000-0001-0000-000000000002\"]=uuid [\"7\"]=seven [\"java.lang.String\"]=class [\"odd key\"]=1 "
            + "[\"quote\\\"back\\\\\"]=2 c=letter size=10 true=yes", Subject.shown(map));
        EnumMap<Colour, Object> colours = new EnumMap<>(Colour.class);
        colours.put(Colour.GREEN, null);
        colours.put(Colour.BLUE, 3);
        Check.same("EnumMap", "BLUE=3 GREEN=null size=2", Subject.shown(colours));
        Object[][] entries = {{1, "int"}, {"1", "text"}, {1L, "long"}, {null, "nothing"}, {"null", "text"}, {2L, "long"}, {2, "int"}};
        for (int turn = 0; turn < 2; turn++) {
            Map<Object, Object> mixed = new LinkedHashMap<>();
            for (Object[] entry : entries) mixed.put(entry[0], entry[1]);
            Check.same("one of equal names", "[\"1\"]=text [\"2\"]=int null=text size=7", Subject.shown(mixed));
            Subject subject = Subject.of(mixed);
            subject.full();
            Check.same("the others are left out", 4 + 4, subject.report.rawCount);
            Collections.reverse(Arrays.asList(entries));
        }
    }
}
