package harness;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Apps that would do harm if anything of theirs were called or waited for. */
final class HostileCases {
    private HostileCases() {}

    static final AtomicInteger calls = new AtomicInteger();

    private static int called() {
        return calls.incrementAndGet();
    }

    static class Trap implements Comparable<Trap>, Iterable<Trap>, Runnable, java.io.Serializable {
        int number = 1;
        Trap other;

        @Override
        public String toString() {
            return "called " + called();
        }

        @Override
        public int hashCode() {
            return called();
        }

        @Override
        public boolean equals(Object object) {
            return called() < 0;
        }

        @Override
        public int compareTo(Trap trap) {
            return called();
        }

        @Override
        public Iterator<Trap> iterator() {
            called();
            return null;
        }

        @Override
        public void run() {
            called();
        }

        public int getNumber() {
            return called();
        }
    }

    static final class TrapList extends AbstractList<Object> {
        int field = 3;

        @Override
        public Object get(int index) {
            return called();
        }

        @Override
        public int size() {
            return called();
        }
    }

    static final class TrapMap extends HashMap<Object, Object> {
        @Override
        public Set<Map.Entry<Object, Object>> entrySet() {
            called();
            return super.entrySet();
        }

        @Override
        public int size() {
            called();
            return super.size();
        }

        @Override
        public Object get(Object key) {
            called();
            return super.get(key);
        }
    }

    static final class TrapNumber extends Number {
        @Override
        public int intValue() {
            return called();
        }

        @Override
        public long longValue() {
            return called();
        }

        @Override
        public float floatValue() {
            return called();
        }

        @Override
        public double doubleValue() {
            return called();
        }
    }

    enum TrapEnum {
        ONE {
            @Override
            public String toString() {
                return "called " + called();
            }
        }
    }

    static final class TrapThread extends Thread {
        int state = 5;

        @Override
        public long getId() {
            return called();
        }

        @Override
        public String toString() {
            return "called " + called();
        }
    }

    static void nothingIsCalled() throws Exception {
        Trap trap = new Trap();
        trap.other = new Trap();
        Map<Object, Object> traps = new HashMap<>();
        traps.put(trap, new Trap());
        traps.put(new Trap(), trap);
        Set<Object> set = new HashSet<>(Arrays.asList(new Trap(), new Trap()));
        TrapMap map = new TrapMap();
        map.put("k", new TrapNumber());
        TrapThread thread = new TrapThread();
        Object[] all = {trap, traps, set, map, new TrapList(), TrapEnum.ONE, thread, new TrapNumber(), Collections.unmodifiableList(new TrapList()),
            Optional.of(trap), new CopyOnWriteArrayList<>(new Object[] {trap}), new IdentityHashMap<>(Map.of("a", trap)),
            new java.util.concurrent.atomic.AtomicReference<>(trap), CompletableFuture.completedFuture(trap), new ArrayDeque<>(Arrays.asList(trap))};
        Subject subject = Subject.of(all);
        subject.vm.classes = new Class<?>[] {HostileCases.class, Trap.class};
        calls.set(0);
        Map<String, Object> state = subject.full();
        for (int at = 0; at < 20; at++) subject.next();
        subject.reader.find("x[0].other");
        subject.reader.flatten(all, 1000);
        subject.reader.holders();
        Check.same("calls", 0, calls.get());
        Check.same("kind", "same", subject.kind);
        Check.same("enum", "ONE", state.get("x[5]"));
        Check.same("thread", 5L, state.get("x[6].state"));
        Check.same("own list", 3L, state.get("x[4].field"));
        noClassAroundIsLoaded();
    }

    static class Upper {
        int id = 1;
    }

    static final class Lower extends Upper {
        int id = 2;
    }

    /** A loader of the app that hears what is asked of it. */
    static final class Listening extends ClassLoader {
        final List<String> asked = new ArrayList<>();

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("harness.")) return super.loadClass(name, resolve);
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) return loaded;
            asked.add(name);
            try (java.io.InputStream in = HostileCases.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException absent) {
                throw new ClassNotFoundException(name);
            }
        }
    }

    private static void noClassAroundIsLoaded() throws Exception {
        Listening loader = new Listening();
        java.lang.reflect.Constructor<?> maker = loader.loadClass("harness.HostileCases$Lower").getDeclaredConstructor();
        maker.setAccessible(true);
        Object lower = maker.newInstance();
        Check.same("twice declared", "id=1 id_Lower=2", Subject.shown(lower));
        Check.same("loaded", Arrays.asList("harness.HostileCases$Lower", "harness.HostileCases$Upper"), loader.asked);
    }

    static void heldMonitorsDoNotMatter() throws Exception {
        final Trap trap = new Trap();
        final Vector<Object> vector = new Vector<>(Arrays.asList(1, 2));
        final Hashtable<String, Object> table = new Hashtable<>(Map.of("a", 1));
        final StringBuffer buffer = new StringBuffer("b");
        final Object[] all = {trap, vector, table, buffer, Collections.synchronizedList(vector)};
        final CountDownLatch held = new CountDownLatch(1);
        final CountDownLatch done = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            synchronized (trap) {
                synchronized (vector) {
                    synchronized (table) {
                        synchronized (buffer) {
                            held.countDown();
                            try {
                                done.await();
                            } catch (InterruptedException ended) {
                                return;
                            }
                        }
                    }
                }
            }
        });
        holder.start();
        held.await();
        Future<Map<String, Object>> state = Executors.newSingleThreadExecutor().submit(() -> Subject.of(all).full());
        Check.same("read", "b", state.get(20, TimeUnit.SECONDS).get("x[3]"));
        done.countDown();
    }

    static final class Chain {
        int number;
        Chain next;
    }

    static void longChainsEnd() {
        Chain first = new Chain();
        Chain at = first;
        for (int count = 0; count < 100_000; count++) {
            at.next = new Chain();
            at = at.next;
        }
        Map<String, Object> state = Subject.of(first).full();
        Check.that("depth", state.size() < 100 && state.containsValue("[deeper levels are not read]"));
        at.next = first;
        Check.that("ring", Subject.of(first).full().size() < 100);
        Map<Object, Object> self = new HashMap<>();
        self.put("self", self);
        self.put("list", new ArrayList<>(Collections.singletonList(self)));
        Check.same("itself", "[ref] x", Subject.of(self).full().get("x.self"));
        LinkedList<Object> list = new LinkedList<>();
        for (int count = 0; count < 1_000_000; count++) list.add(count);
        Subject subject = new Subject(10_000).put("x", list);
        Check.same("leaves", 10_000, subject.full().size());
        Check.same("raw", 1_000_001, subject.report.rawCount);
        Subject array = new Subject(10_000).put("x", new ArrayList<>(list));
        Check.same("leaves", 10_000, array.full().size());
        Check.same("length", 1_000_000L, array.next().get("x.length"));
        ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>(list);
        Subject uncounted = new Subject(10_000).put("x", queue);
        Check.same("counted", 1_000_000L, uncounted.full().get("x.length"));
        queue.add("one more");
        Check.same("too long to be counted", null, uncounted.full().get("x.length"));
        Check.same("leaves", 10_000, uncounted.next().size());
        Check.that("raw", uncounted.report.rawCount >= 1_000_000);
        Map<Object, Object> byObject = new HashMap<>();
        for (int count = 0; count < 70_000; count++) byObject.put(new Chain(), count);
        Subject objects = new Subject(1_000_000).put("x", byObject);
        objects.full();
        Check.that("entries beyond those that are gathered", objects.report.rawCount >= 70_000);
    }

    static void mutationsDuringTheWalk() throws Exception {
        final Map<Object, Object> hash = new HashMap<>();
        final Map<Object, Object> concurrent = new ConcurrentHashMap<>();
        final List<Object> list = new ArrayList<>();
        final LinkedList<Object> linked = new LinkedList<>();
        final TreeMap<Object, Object> tree = new TreeMap<>();
        final java.util.concurrent.atomic.AtomicBoolean isDone = new java.util.concurrent.atomic.AtomicBoolean();
        Thread mutator = new Thread(() -> {
            Random random = new Random(1);
            while (!isDone.get()) {
                String key = "k" + random.nextInt(1000);
                if (random.nextInt(3) > 0) {
                    hash.put(key, new Chain());
                    concurrent.put(key, key);
                    list.add(key);
                    linked.add(key);
                    tree.put(key, 1);
                } else {
                    hash.remove(key);
                    concurrent.remove(key);
                    if (!list.isEmpty()) list.remove(list.size() - 1);
                    if (!linked.isEmpty()) linked.removeFirst();
                    tree.remove(key);
                }
                if (list.size() > 600) {
                    hash.clear();
                    list.clear();
                    linked.clear();
                    tree.clear();
                    concurrent.clear();
                }
            }
        });
        mutator.setDaemon(true);
        mutator.start();
        Subject subject = Subject.of(new Object[] {hash, concurrent, list, linked, tree});
        subject.full();
        for (int at = 0; at < 50; at++) subject.next();
        isDone.set(true);
        mutator.join(10_000);
        Map<String, Object> state = subject.next();
        Map<String, Object> full = subject.full();
        Map<String, Object> differing = new TreeMap<>(state);
        differing.entrySet().removeAll(full.entrySet());
        full.entrySet().removeAll(state.entrySet());
        Check.same("settled, stopped by " + subject.report.stoppedBy, "{} {}", full + " " + differing);
    }

    static void smallHeaps() {
        Object[] rows = new Object[200_000];
        for (int at = 0; at < rows.length; at++) rows[at] = "row " + at;
        Subject subject = new Subject(1_000_000).put("x", rows);
        Map<String, Object> state = subject.full();
        long free = Runtime.getRuntime().maxMemory() - Runtime.getRuntime().totalMemory() + Runtime.getRuntime().freeMemory();
        Object[] large = new Object[2_000_000];
        large[5] = new Chain();
        Check.same("first of the app", Chain.class, Readings.shapes().elementOf(large));
        Check.that("bounded by the heap or complete", state.size() == rows.length + 1 || state.size() <= free / 10 / 100);
    }

    static void nothingIsKeptAlive() throws Exception {
        Object[] holder = {new Chain()};
        Subject subject = Subject.of(holder);
        subject.full();
        subject.next();
        java.lang.ref.WeakReference<Object> weak = new java.lang.ref.WeakReference<>(holder[0]);
        holder[0] = null;
        for (int at = 0; at < 50 && weak.get() != null; at++) {
            System.gc();
            Thread.sleep(10);
        }
        Check.that("collected", weak.get() == null);
    }

    static void longTextsDrawOnTheHeap() {
        char[] letters = new char[4000];
        Arrays.fill(letters, 'x');
        Object[] rows = new Object[20_000];
        Arrays.fill(rows, new String(letters));
        Subject subject = new Subject(200_000).put("x", rows).put("y", new Object[] {1});
        Map<String, Object> state = subject.full();
        Check.that("some", state.containsKey("x[0]") && state.containsKey("y[0]"));
        Check.that("not all", subject.report.coverage < 1 && subject.report.rawCount >= rows.length);
        Check.that("bounded", subject.report.leaves.byteCount() < 34L * 1024 * 1024);
        subject.next();
        Check.same("deterministic", "same", subject.kind);
    }

    static void noFileSystemIsKeptAlive() throws Exception {
        Object[] holder = {java.nio.file.Paths.get("some", "file")};
        Subject subject = Subject.of(holder);
        Check.same("shown", holder[0].toString(), subject.full().get("x[0]"));
        java.lang.ref.WeakReference<Object> weak = new java.lang.ref.WeakReference<>(holder[0]);
        holder[0] = null;
        for (int at = 0; at < 50 && weak.get() != null; at++) {
            System.gc();
            Thread.sleep(10);
        }
        Check.that("collected", weak.get() == null);
    }
}
