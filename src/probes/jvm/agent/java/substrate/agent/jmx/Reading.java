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
import substrate.agent.jmx.BeanFacts.AttributeFacts;

/** One round through all beans, on a thread of its own. */
final class Reading implements Runnable {
    private static final int MAX_BEANS = 2000;
    private static final int MAX_ATTRIBUTES = 20000;

    /** Of the last reading: what beans say of themselves is not asked each time. */
    private final Map<String, BeanFacts> known;
    private final boolean asksAgain;
    private final CountDownLatch done = new CountDownLatch(1);
    private final long began = System.nanoTime();
    final List<BeanFacts> beans = new ArrayList<BeanFacts>();
    /** The attribute that is being read now. */
    private volatile AttributeFacts current;

    Reading(Map<String, BeanFacts> known, boolean asksAgain) {
        this.known = known;
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

    long ageNanos() {
        return System.nanoTime() - began;
    }

    AttributeFacts current() {
        return current;
    }

    @Override
    public void run() {
        try {
            List<MBeanServer> servers = MBeanServerFactory.findMBeanServer(null);
            int attributes = 0;
            for (int at = 0; at < servers.size(); at++) {
                for (ObjectName name : names(servers.get(at))) {
                    if (beans.size() == MAX_BEANS || attributes > MAX_ATTRIBUTES) break;
                    BeanFacts bean = facts(servers.get(at), at, name);
                    if (bean == null) continue;
                    beans.add(bean);
                    attributes += bean.attributes.size();
                    read(servers.get(at), bean);
                }
            }
        } catch (Throwable e) {
            // What was read is what there is.
        } finally {
            done.countDown();
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

    /** Null: it is gone again. */
    private BeanFacts facts(MBeanServer server, int index, ObjectName name) {
        BeanFacts before = known.get(key(index, name));
        if (before != null && !asksAgain) return before;
        try {
            BeanFacts fresh = new BeanFacts(server, index, name);
            if (before == null) return fresh;
            boolean isSame = before.attributes.size() == fresh.attributes.size()
                && before.operations.size() == fresh.operations.size() && before.className.equals(fresh.className);
            return isSame ? before : fresh;
        } catch (Throwable e) {
            return null;
        }
    }

    static String key(int server, ObjectName name) {
        return server + " " + name.getCanonicalName();
    }

    private void read(MBeanServer server, BeanFacts bean) {
        for (AttributeFacts attribute : bean.attributes) {
            if (!attribute.mayBeAsked()) continue;
            current = attribute;
            long asked = System.nanoTime();
            try {
                Object value = Values.plain(server.getAttribute(bean.name, attribute.name));
                attribute.answered(value, System.nanoTime() - asked);
            } catch (Throwable e) {
                attribute.threw();
            }
        }
        current = null;
    }

    Map<String, BeanFacts> byKey() {
        Map<String, BeanFacts> byKey = new HashMap<String, BeanFacts>();
        for (BeanFacts bean : beans) byKey.put(key(bean.server, bean.name), bean);
        return byKey;
    }
}
