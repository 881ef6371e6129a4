package harness;

import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.*;
import java.util.concurrent.*;

import org.eclipse.jetty.harness.Deployment;
import org.eclipse.jetty.session.DefaultSessionCache;
import substrate.agent.state.Holder;
import substrate.agent.state.RootCandidate;
import substrate.agent.vm.StackLocal;

/** Where state is found without being told. */
final class RootCases {
    private RootCases() {}

    private static Map<String, String> rootsOf(Subject subject) {
        Map<String, String> roots = new TreeMap<>();
        for (RootCandidate root : subject.report.roots) {
            String name = subject.names.get(root.id);
            Check.that("one root is called " + name, roots.put(name, root.kind + ' ' + (root.where == null ? root.type : root.where)) == null);
        }
        return roots;
    }

    static final class Config {
        static final Config INSTANCE = new Config();
        static final String NAME = "constant";
        static final List<String> FEATURES = new ArrayList<>(List.of("a"));
        static int changes = 1;
        private static final java.util.logging.Logger LOG = java.util.logging.Logger.getLogger("x");
        String currency = "EUR";

        static final class Settings {
            static int level = 3;
        }
    }

    static final class Other {
        static final class Settings {
            static int level = 4;
        }

        static final int NUMBER = 5;
    }

    static void statics() {
        Subject subject = new Subject(1000);
        subject.vm.classes = new Class<?>[] {Other.Settings.class, Config.class, Config.Settings.class, Other.class, String.class, int[].class, Runnable.class};
        Map<String, Object> state = subject.full();
        Check.same("state", "{Config.FEATURES.length=1, Config.FEATURES[0]=a, Config.changes=1, RootCases_Other_Settings.level=4, Settings.level=3, config.currency=EUR}", own(state));
        Check.same("origin", "statics harness.RootCases$Config", rootsOf(subject).get("Config"));
        Config.changes++;
        Check.same("followed", 2L, subject.next().get("Config.changes"));
        Config.changes--;
        Check.that("class", subject.reader.find("Config") == Config.class);
        Check.that("single", subject.reader.find("config") == Config.INSTANCE);
        Set<String> shapes = new TreeSet<>();
        for (Holder holder : subject.reader.holders())
            if (!holder.shape.contains(".") && holder.types[0].getName().contains("RootCases$")) shapes.add(subject.named(holder.shape) + (holder.isStatic ? " static " : " ") + holder.depth);
        Check.that("holders " + shapes, shapes.containsAll(Set.of("Config static 1", "Settings static 1", "config 1")));
        int version = subject.reader.holdersVersion();
        subject.next();
        Check.same("version stays", version, subject.reader.holdersVersion());
    }

    /** Without what threads of other cases hold. */
    private static String own(Map<String, Object> state) {
        Map<String, Object> own = new TreeMap<>();
        for (Map.Entry<String, Object> leaf : state.entrySet())
            if (leaf.getKey().startsWith("Config") || leaf.getKey().startsWith("config") || leaf.getKey().contains("Settings")) own.put(leaf.getKey(), leaf.getValue());
        return own.toString();
    }

    static final class Job implements Runnable {
        int done = 3;
        final CountDownLatch end = new CountDownLatch(1);

        @Override
        public void run() {
            try {
                end.await();
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    static final class Worker extends Thread {
        int handled = 8;
        final CountDownLatch end = new CountDownLatch(1);

        @Override
        public void run() {
            try {
                end.await();
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    static final class Queued {
        String title = "queued";
    }

    static final class Later extends TimerTask {
        int inHours = 2;

        @Override
        public void run() {}
    }

    static final class Request {
        int user = 17;
        List<Object> more = new ArrayList<>();
    }

    static void threads() throws Exception {
        Job job = new Job();
        Thread plain = new Thread(job, "plain");
        plain.setDaemon(true);
        plain.start();
        Job second = new Job();
        second.done = 4;
        Thread another = new Thread(second, "another");
        another.setDaemon(true);
        another.start();
        Worker worker = new Worker();
        worker.setDaemon(true);
        worker.start();
        Queued queued = new Queued();
        ScheduledExecutorService executor = Executors.newScheduledThreadPool(1);
        executor.schedule(() -> queued.title.length(), 1, TimeUnit.HOURS);
        Timer timer = new Timer(true);
        timer.schedule(new Later(), 3_600_000);
        CountDownLatch isSet = new CountDownLatch(1);
        ThreadLocal<Request> local = new ThreadLocal<>();
        Thread withLocal = new Thread(() -> {
            local.set(new Request());
            isSet.countDown();
            try {
                job.end.await();
            } catch (InterruptedException ended) {
                return;
            }
        }, "with local");
        withLocal.setDaemon(true);
        withLocal.start();
        isSet.await();
        Subject subject = new Subject(10_000);
        Map<String, Object> state = subject.full();
        Check.same("runnable", 3L, state.get("job.done"));
        Check.same("second runnable", 4L, state.get("job_2.done"));
        Check.same("thread", 8L, state.get("worker.handled"));
        Check.same("scheduled", "queued", state.get("queued.title"));
        Check.same("timer", 2L, state.get("later.inHours"));
        Check.same("thread local", 17L, state.get("request.user"));
        Check.same("origin", "held held by thread plain", rootsOf(subject).get("job"));
        Map<String, Object> before = subject.next();
        Check.same("settled " + subject.report.leaves, "same", subject.kind);
        job.end.countDown();
        plain.join();
        withLocal.join();
        Map<String, Object> after = subject.full();
        Check.that("ended", !after.containsKey("job.done") && !after.containsKey("request.user"));
        Check.same("keeps its name", 4L, after.get("job_2.done"));
        second.end.countDown();
        worker.end.countDown();
        executor.shutdownNow();
        timer.cancel();
    }

    /** A list that only a lambda knows is one root, however many elements it has. */
    static void capturedCollections() throws Exception {
        List<Queued> list = new ArrayList<>();
        for (int at = 0; at < 50; at++) list.add(new Queued());
        Map<String, Object> rates = new HashMap<>(Map.of("EUR", "1"));
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(new Runnable() {
            @Override
            public void run() {
                try {
                    end.await();
                    rates.clear();
                } catch (InterruptedException ended) {
                    list.clear();
                }
            }
        });
        Thread other = new Thread(() -> {
            try {
                end.await();
            } catch (InterruptedException ended) {
                list.clear();
            }
        });
        thread.setDaemon(true);
        other.setDaemon(true);
        thread.start();
        other.start();
        Subject subject = new Subject(10_000);
        Map<String, Object> state = subject.full();
        Check.same("by the name of the variable", "1", state.get("rates.EUR"));
        Check.same("length", 50L, state.get("list.length"));
        Check.that("no element is a root", !state.containsKey("queued.title"));
        end.countDown();
    }

    /** The content of such maps gives them no name: only the variables of the source do. */
    static void variablesOfLambdas() throws Exception {
        Map<String, Integer> hits = new ConcurrentHashMap<>(Map.of("front", 3));
        Map<String, Integer> misses = new ConcurrentHashMap<>(Map.of("back", 1));
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                end.await();
            } catch (InterruptedException ended) {
                hits.putAll(misses);
            }
        });
        thread.setDaemon(true);
        thread.start();
        Subject subject = new Subject(10_000);
        subject.vm.classes = new Class<?>[] {RootCases.class};
        Map<String, Object> state = subject.full();
        Check.same("first", 3L, state.get("hits.front"));
        Check.same("second", 1L, state.get("misses.back"));
        end.countDown();
    }

    static void reachableRootsAreShownOnce() throws Exception {
        Job job = new Job();
        Thread thread = new Thread(job, "shared");
        thread.setDaemon(true);
        thread.start();
        Subject subject = new Subject(10_000).put("app", new Object[] {job});
        Map<String, Object> state = subject.full();
        Check.same("below the first", 3L, state.get("app[0].done"));
        Check.that("not again", !state.containsKey("job.done"));
        subject.put("app", new Object[] {"nothing"});
        state = subject.full();
        Check.same("a root of its own now", 3L, state.get("job.done"));
        subject.put("app", new Object[] {job});
        state = subject.full();
        Check.same("stays a root", 3L, state.get("job.done"));
        Check.same("referred to", "[ref] job", state.get("app[0]"));
        job.end.countDown();
    }

    static void stacks() {
        Request request = new Request();
        List<Object> basket = new ArrayList<>(List.of("apple"));
        Request passing = new Request();
        Subject subject = new Subject(10_000);
        subject.vm.locals = new StackLocal[] {
            local(request, 0, 0), local(basket, 1, 1), local("text", 1, 2), local(new ArrayList<>(List.of(1, 2)), 1, 3)};
        Map<String, Object> state = subject.full();
        Check.same("request", 17L, state.get("request.user"));
        Check.same("list", "apple", state.get("basket[0]"));
        Check.same("origin", "local harness.RootCases.stacks", rootsOf(subject).get("request"));
        subject.vm.locals = new StackLocal[] {local(request, 0, 0), local(passing, 0, 2)};
        state = subject.full();
        Check.that("a passing object is not shown at once", !state.containsKey("passing.user"));
        state = subject.full();
        Check.same("one that stays is", 17L, state.get("passing.user"));
        Check.same("the first keeps its name", 17L, state.get("request.user"));
        subject.vm.locals = new StackLocal[] {local(passing, 0, 2)};
        state = subject.full();
        Check.that("gone", !state.containsKey("request.user"));
        Check.same("keeps its name", 17L, state.get("passing.user"));
    }

    /** A part of the state that a method returns would else bring all that it belongs to. */
    static void returnedValuesNameTheirRoots() {
        ObjectCases.Node shop = new ObjectCases.Node("shop");
        ObjectCases.Node order = new ObjectCases.Node("order");
        shop.all.add(order);
        order.next = shop;
        order.all.add(order);
        Subject subject = new Subject(10_000);
        subject.vm.locals = new StackLocal[] {local(shop, 0, 40)};
        Check.same("root", "shop", subject.full().get("node.name"));
        Map<?, ?> returned = (Map<?, ?>) subject.flatten(order, 100);
        Check.same("what leads back", "{all.length=1, all[0]=[ref] (the returned value), name=order, next=[ref] node, value=null}",
            new TreeMap<>(returned).toString());
        Check.same("a root itself", "shop", ((Map<?, ?>) subject.flatten(shop, 100)).get("name"));
        Check.same("in a list", "{[0]=[ref] node, length=1}", new TreeMap<>((Map<?, ?>) subject.flatten(List.of(shop), 100)).toString());
    }

    private static StackLocal local(Object object, int depth, int slot) {
        return new StackLocal(object, 1, depth, slot, -1, RootCases.class, "stacks", "()V");
    }

    interface Greeter {}

    static void proxies() {
        Object proxy = Proxy.newProxyInstance(RootCases.class.getClassLoader(), new Class<?>[] {Greeter.class}, new InvocationHandler() {
            @Override
            public Object invoke(Object target, Method method, Object[] args) {
                throw new AssertionError("called");
            }
        });
        Check.same("proxy", "length=1", Subject.shown(new Object[] {proxy}));
    }

    /** The server keeps them by their ids: `a` before `b`, whoever came first. */
    static void sessionsKeepTheirOrder() throws Exception {
        DefaultSessionCache cache = new DefaultSessionCache();
        Thread thread = new Thread(cache, "sessions");
        thread.setDaemon(true);
        thread.start();
        cache.login("n", "Ada", 2000);
        Subject subject = new Subject(10_000);
        Check.same("one", "Ada", usersOf(subject.full()));
        cache.login("m", "Bob", 2000);
        Check.same("one of the same moment", "Ada Bob", usersOf(subject.next()));
        cache.login("a", "Cid", 3000);
        cache.login("z", "Dot", 2500);
        Check.same("by creation", "Ada Bob Dot Cid", usersOf(subject.next()));
        cache.login("b", "Eve", 3000);
        Check.same("the last to come is the last", "Ada Bob Dot Cid Eve", usersOf(subject.next()));
        cache.logout("m");
        Check.same("the others stay in order", "Ada Dot Cid Eve", usersOf(subject.next()));
        cache.end.countDown();
    }

    private static String usersOf(Map<String, Object> state) {
        StringBuilder users = new StringBuilder();
        for (int at = 0; state.containsKey("sessions[" + at + "].attributes.user"); at++)
            users.append(at == 0 ? "" : " ").append(state.get("sessions[" + at + "].attributes.user"));
        return users.toString();
    }

    /** Public, because another loader's is made of it. */
    public static final class Plugin {
        int version = 1;
    }

    private static Object newPlugin() throws Exception {
        return new Deployment(Plugin.class).loadClass(Plugin.class.getName()).getDeclaredConstructor().newInstance();
    }

    /** If a class is loaded again and again, the earlier ones do not count. */
    static void unloadedClassesGiveWay() throws Exception {
        Object[] current = new Object[1];
        Subject subject = Subject.of(current);
        List<WeakReference<Class<?>>> former = new ArrayList<>();
        for (int at = 0; at < 50; at++) {
            current[0] = newPlugin();
            former.add(new WeakReference<>(current[0].getClass()));
            Check.same("shown", 1L, subject.next().get("x[0].version"));
        }
        current[0] = newPlugin();
        subject.next();
        long limit = System.nanoTime() + 20_000_000_000L;
        for (WeakReference<Class<?>> type : former)
            while (type.get() != null) {
                Check.that("unloaded in time", System.nanoTime() < limit);
                System.gc();
            }
        subject.next();
        boolean isHolder = false;
        for (Holder holder : subject.reader.holders())
            for (Class<?> type : holder.types) isHolder |= type == current[0].getClass();
        Check.that("the one of now can be acted on", isHolder);
    }

    static final class Track {
        String name = "round";
        List<String> points = new ArrayList<>();
    }

    static final class Exporter {
        Track track;
        List<String> log = new ArrayList<>();
    }

    static final class AllFunctions {
        static Exporter FUNCTION_EXPORT = new Exporter();
    }

    static final class Station {
        static Station station;
        Exporter exporter;
        Track track = new Track();
    }

    /** An object that several classes lead to is shown where variables hold it. */
    static void variablesBeforeConstants() {
        Station.station = new Station();
        AllFunctions.FUNCTION_EXPORT.track = Station.station.track;
        Subject subject = new Subject(1000);
        subject.vm.classes = new Class<?>[] {AllFunctions.class, Station.class};
        Map<String, Object> state = subject.full();
        Check.same("the track", "round", state.get("Station.station.track.name"));
        Check.same("the function", "[ref] Station.station.track", state.get("AllFunctions.FUNCTION_EXPORT.track"));
    }

    static final class Harbour implements Runnable {
        List<String> berths = new ArrayList<>(List.of("north"));
        final CountDownLatch end = new CountDownLatch(1);

        @Override
        public void run() {
            try {
                end.await();
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    static final class Register {
        static final Map<Object, String> names = new HashMap<>();
    }

    /** The object that a thread runs is a root of its own, even if it keeps a map. */
    static void keysOfMapsAreNoPlaces() {
        Harbour harbour = new Harbour();
        Register.names.put(harbour, "main");
        Thread thread = new Thread(harbour, "harbour");
        thread.setDaemon(true);
        thread.start();
        Subject subject = new Subject(1000);
        subject.vm.classes = new Class<?>[] {Register.class};
        Map<String, Object> state = subject.full();
        Check.same("the harbour", "north", state.get("harbour.berths[0]"));
        Check.same("the register", "[ref] harbour", state.get("Register.names[0].key"));
        Check.same("its value", "main", state.get("Register.names[0].value"));
        subject.next();
        Check.same("stays", "same", subject.kind);
        harbour.end.countDown();
    }

}
