package substrate.agent.jmx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import substrate.agent.health.Discarded;
import substrate.agent.health.Parts;
import substrate.agent.jmx.BeanFacts.AttributeFacts;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** One pass over all beans, on a thread of its own. */
final class Reading implements Runnable {
    private static final int MAX_BEANS = 2000;
    private static final int MAX_ATTRIBUTES = 20000;

    /** Facts of the last reading: the descriptions of beans are not read each time. */
    private final Map<BeanKey, BeanFacts> known;
    /** Earlier readings wait for these beans: they are not read. */
    private final Set<BeanKey> blocked;
    private final boolean asksAgain;
    private final Vm vm;
    private final Pace pace;
    private final CountDownLatch done = new CountDownLatch(1);
    final long began = System.nanoTime();
    /** Complete when the reading is done; partial when it is abandoned. */
    final List<BeanFacts> beans = new ArrayList<BeanFacts>();
    /** The bean that is read now, and since when; null for the server itself. */
    private BeanKey current;
    private long asked = began;
    private boolean isAbandoned;

    Reading(Map<BeanKey, BeanFacts> known, Set<BeanKey> blocked, boolean asksAgain, Vm vm, Pace pace) {
        this.vm = vm;
        this.pace = pace;
        this.known = known;
        this.blocked = blocked;
        this.asksAgain = asksAgain;
    }

    void start() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) group = group.getParent();
        Thread thread = new Thread(group, this, "substrate-jmx");
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    boolean await(long millis) throws InterruptedException {
        return done.await(millis, TimeUnit.MILLISECONDS);
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    /** True if the app has blocked it for this long. If it ever returns, it reads nothing more. */
    synchronized boolean abandon(long afterNanos) {
        if (!isDone() && System.nanoTime() - asked > afterNanos) isAbandoned = true;
        return isAbandoned;
    }

    /** The bean that an abandoned reading waits for; null for the server itself. */
    synchronized BeanKey current() {
        return current;
    }

    /** False if nothing more is to be read. */
    private synchronized boolean asks(BeanKey key) {
        if (isAbandoned) return false;
        current = key;
        asked = System.nanoTime();
        return true;
    }

    private synchronized boolean add(BeanFacts bean) {
        if (!isAbandoned) beans.add(bean);
        return !isAbandoned;
    }

    @Override
    public void run() {
        long began = vm.cpuNanos();
        try {
            readAll();
        } catch (Throwable e) {
            // The beans read so far are reported.
            Discarded.count("Reading.run", e);
            missIfBroken(e);
        } finally {
            pace.add(vm.cpuNanos() - began);
            done.countDown();
        }
    }

    /** The app's beans may lack classes, too: that is no fault of the agent. */
    private static void missIfBroken(Throwable error) {
        boolean isOurs = error instanceof LinkageError && String.valueOf(error.getMessage()).contains("javax/management/");
        if (isOurs) Parts.miss("jmx", JmxBeans.EFFECT, error);
    }

    private void readAll() {
        int attributes = 0;
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            if (!asks(null)) return;
            for (ObjectName name : names(server)) {
                if (beans.size() == MAX_BEANS || attributes > MAX_ATTRIBUTES) return;
                BeanKey key = new BeanKey(server, name);
                boolean isBlocked = blocked.contains(key);
                if (!isBlocked && !asks(key)) return;
                BeanFacts bean = isBlocked ? known.get(key) : facts(server, key, name);
                if (bean == null) continue;
                if (!add(bean)) return;
                attributes += bean.attributes.size();
                if (!isBlocked && !read(server, bean)) return;
            }
        }
    }

    private static Set<ObjectName> names(MBeanServer server) {
        Set<ObjectName> names = new TreeSet<ObjectName>();
        for (ObjectName name : server.queryNames(null, null)) if (!isOfJdk(name.getDomain())) names.add(name);
        return names;
    }

    /** Beans of the JDK change all the time by themselves, and are no state of the app. */
    static boolean isOfJdk(String domain) {
        return domain.equals("java.lang") || domain.equals("java.nio") || domain.equals("java.util.logging")
            || domain.equals("jdk") || domain.startsWith("jdk.") || domain.equals("com.sun.management")
            || domain.equals("JMImplementation");
    }

    /** Null if the bean is gone again. */
    private BeanFacts facts(MBeanServer server, BeanKey key, ObjectName name) {
        BeanFacts before = known.get(key);
        if (before != null && !asksAgain) return before;
        try {
            BeanFacts fresh = new BeanFacts(server, key, name);
            if (before == null) return fresh;
            boolean isSame = before.attributes.size() == fresh.attributes.size()
                && before.kind.equals(fresh.kind) && before.className.equals(fresh.className);
            return isSame ? before : fresh;
        } catch (Throwable e) {
            Discarded.count("Reading.facts", e);
            missIfBroken(e);
            return null;
        }
    }

    /** False if the reading is abandoned. A late value is still taken, like that of a slow attribute. */
    private boolean read(MBeanServer server, BeanFacts bean) {
        for (AttributeFacts attribute : bean.attributes) {
            if (!attribute.mayBeAsked()) continue;
            if (!asks(bean.key)) return false;
            long before = System.nanoTime();
            try {
                Object value = Values.plain(server.getAttribute(bean.name, attribute.name));
                attribute.answered(value, System.nanoTime() - before);
            } catch (Throwable e) {
                Discarded.count("Reading.read", e);
                missIfBroken(e);
                attribute.threw();
            }
        }
        return true;
    }

    Map<BeanKey, BeanFacts> byKey() {
        Map<BeanKey, BeanFacts> byKey = new HashMap<BeanKey, BeanFacts>();
        for (BeanFacts bean : beans) byKey.put(bean.key, bean);
        return byKey;
    }
}
