package substrate.agent.jmx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import substrate.agent.act.BadArgument;
import substrate.agent.act.Limit;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;
import substrate.agent.code.TypeIds;
import substrate.agent.health.Discarded;
import substrate.agent.read.Record;
import substrate.agent.state.RootCandidate;
import substrate.agent.state.RootSource;
import substrate.agent.state.Shown;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * The management beans of an app: attributes are state, operations are actions. Only existing servers are
 * read, and beans of the JDK are left out.
 *
 * This is the one place where code of the app is called for reading: an attribute is the getter of a bean, made to be
 * called from outside. It is called on a thread of its own, at most every two seconds; a slow one less often, one that
 * throws once a minute, one that blocks not before it has returned. The option `jmx` switches all of it off.
 */
public final class JmxBeans implements RootSource {
    public static final String EFFECT = "management beans are not read, and give no actions";
    private static final long EVERY_NANOS = 2000000000L;
    private static final long FACTS_EVERY_NANOS = 30000000000L;
    private static final long TIMEOUT_MS = 25;
    /**
     * The first reading runs cold code; with the shorter timeout the first report would lack all beans, and the second
     * add them.
     */
    private static final long FIRST_TIMEOUT_MS = 500;
    private static final long STUCK_NANOS = 5000000000L;
    /** Where one bean blocks, others often do, too: the working beans must not wait long for each. */
    private static final long STUCK_AGAIN_NANOS = 1000000000L;
    /** Limit for blocked readings: each is a thread that waits for the app. */
    private static final int MAX_STUCK = 8;

    private static final int MAX_KINDS = 2000;
    /** Limit for the whole report. It depends on the maximal heap: free memory varies. */
    private static final int MAX_CHARACTERS =
        (int) Math.min(8L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 200);
    private static final List<BeanFacts> NO_BEANS = Collections.emptyList();

    private final Vm vm;
    private final Pace pace;
    private final Shown shown;
    private Map<BeanKey, BeanFacts> known = new HashMap<BeanKey, BeanFacts>();
    private Reading running;
    /** Readings that wait for a bean which does not answer. The bean is not read again before they have returned. */
    private final List<Reading> stuck = new ArrayList<Reading>();
    private boolean isDue = true;
    private long lastRead;
    private long lastFacts;
    private List<RootCandidate> roots = Collections.emptyList();
    /** The beans whose operations can be called, as of the last reading. */
    private List<BeanFacts> callable = NO_BEANS;
    /** The beans that were reported to the daemon; null if none. */
    private List<BeanFacts> sent;

    public JmxBeans(Vm vm, Pace pace, Shown shown) {
        this.vm = vm;
        this.pace = pace;
        this.shown = shown;
    }

    @Override
    public synchronized List<RootCandidate> roots(boolean fresh) {
        try {
            read(fresh);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            Discarded.count("JmxBeans.roots", e);
            running = null;
        }
        return roots;
    }

    private void read(boolean fresh) throws InterruptedException {
        releaseStuck();
        if (running != null && running.isDone()) take(running);
        boolean isTime = isDue || fresh || System.nanoTime() - lastRead >= EVERY_NANOS;
        if (running == null && isTime) start();
        if (running == null || takeIfDone()) return;
        if (!running.abandon(stuck.isEmpty() ? STUCK_NANOS : STUCK_AGAIN_NANOS)) return;
        Reading abandoned = running;
        leave(abandoned);
        // The other beans can be read in a moment by a new reading.
        start();
        if (running == null || !takeIfDone()) show(stuck.size() < MAX_STUCK ? abandoned.beans : NO_BEANS);
    }

    private void start() {
        if (stuck.size() >= MAX_STUCK) return;
        long now = System.nanoTime();
        boolean asksAgain = known.isEmpty() || now - lastFacts >= FACTS_EVERY_NANOS;
        if (asksAgain) lastFacts = now;
        isDue = false;
        Set<BeanKey> blocked = new HashSet<BeanKey>();
        for (Reading reading : stuck) if (reading.current() != null) blocked.add(reading.current());
        running = new Reading(known, blocked, asksAgain, vm, pace);
        running.start();
    }

    private boolean takeIfDone() throws InterruptedException {
        boolean isDone = running.await(known.isEmpty() ? FIRST_TIMEOUT_MS : TIMEOUT_MS);
        if (isDone) take(running);
        return isDone;
    }

    private void take(Reading reading) {
        running = null;
        lastRead = reading.began;
        known = reading.byKey();
        show(reading.beans);
        callable = reading.beans;
    }

    private void show(List<BeanFacts> beans) {
        Record record = BeanTree.record(beans);
        roots = record.size() == 0
            ? Collections.<RootCandidate>emptyList()
            : Collections.singletonList(RootCandidate.made("jmx", "management beans", record));
    }

    /** Leaves the thread to the bean that does not return; its values are dropped. */
    private void leave(Reading reading) {
        running = null;
        stuck.add(reading);
        // The map is copied, because the abandoned thread still uses the old one.
        known = new HashMap<BeanKey, BeanFacts>(known);
        known.putAll(reading.byKey());
        BeanFacts bean = reading.current() == null ? null : known.get(reading.current());
        if (bean != null) bean.forgetValues();
    }

    /** The bean returned after all, or the whole program was only suspended for a while. */
    private void releaseStuck() {
        Iterator<Reading> all = stuck.iterator();
        while (all.hasNext())
            if (all.next().isDone()) {
                all.remove();
                isDue = true;
            }
    }

    /** The callable operations, see bean-facts.ts; null where the daemon has them already. */
    public synchronized void report(StringBuilder out, boolean all, TypeIds ids) {
        if (!all && sent != null && sent.equals(callable)) {
            out.append("null");
            return;
        }
        sent = callable;
        Map<String, Integer> kinds = new LinkedHashMap<String, Integer>();
        StringBuilder beans = new StringBuilder();
        int length = 0;
        for (BeanFacts bean : sent) {
            if (length + beans.length() > MAX_CHARACTERS || kinds.size() == MAX_KINDS) break;
            String own = bean.kind(ids);
            Integer kind = kinds.get(own);
            if (kind == null) {
                kinds.put(own, kind = kinds.size());
                length += own.length();
            }
            bean.write(beans.append(beans.length() == 0 ? "" : ","), kind);
        }
        out.append("{\"kinds\":[");
        String separator = "";
        for (String kind : kinds.keySet()) {
            out.append(separator).append(kind);
            separator = ",";
        }
        out.append("],\"beans\":[").append(beans).append("]}");
    }

    /** Null if it is gone. */
    private synchronized BeanFacts find(Object id) {
        for (BeanFacts bean : callable) if (Long.valueOf(bean.id).equals(id)) return bean;
        return null;
    }

    /** `asked`: {id, types}; returns these types of a bean. */
    public Class<?>[] typesOf(Map<?, ?> asked) {
        BeanFacts bean = find(asked.get("id"));
        return bean == null ? new Class<?>[0] : BeanCall.typesOf(bean, (List<?>) asked.get("types"));
    }

    /** `call` is a BeanCall of agent-protocol.ts. Runs on a thread of its own. */
    public Outcome invoke(Map<?, ?> call, Limit limit) throws BadArgument, NotDispatched {
        BeanFacts bean = find(call.get("bean"));
        if (bean == null) throw new NotDispatched("this management bean is not there any more");
        setDue();
        try {
            return new BeanCall(vm, shown, bean, call).run(limit);
        } finally {
            setDue();
        }
    }

    /** The next capture reads the beans again, to show the effects of a call. */
    private synchronized void setDue() {
        isDue = true;
    }
}
