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
 * The management beans of an app: attributes are state, operations are actions. Only servers that are there already are
 * looked at, and beans of the JDK are left out.
 *
 * This is the one place where code of the app is called for reading: an attribute is the getter of a bean, made to be
 * asked from outside. It is asked on a thread of its own, at most every two seconds, one that is slow less often, one
 * that throws once a minute, one that blocks not before it has come back. The option `jmx` switches all of it off.
 */
public final class JmxBeans implements RootSource {
    public static final String EFFECT = "management beans are not read, and give no actions";
    private static final long EVERY_NANOS = 2000000000L;
    private static final long FACTS_EVERY_NANOS = 30000000000L;
    private static final long PATIENCE_MS = 25;
    /** The first reading meets cold code; without it the first report would lack all beans, and the second add them. */
    private static final long FIRST_PATIENCE_MS = 500;
    private static final long STUCK_NANOS = 5000000000L;
    /** Where one bean blocks others often do, and the healthy ones should not wait long for each. */
    private static final long STUCK_AGAIN_NANOS = 1000000000L;
    /** Each is a thread that waits for the app. */
    private static final int MAX_STUCK = 8;

    private static final int MAX_KINDS = 2000;
    /** Of all that is told. From what the heap may become: what is free comes and goes. */
    private static final int MAX_CHARACTERS =
        (int) Math.min(8L * 1024 * 1024, Runtime.getRuntime().maxMemory() / 200);
    private static final List<BeanFacts> NO_BEANS = Collections.emptyList();

    private final Vm vm;
    private final Pace pace;
    private final Shown shown;
    private Map<BeanKey, BeanFacts> known = new HashMap<BeanKey, BeanFacts>();
    private Reading running;
    /** Those that wait for a bean which does not answer. It is not asked again before it has let them go. */
    private final List<Reading> stuck = new ArrayList<Reading>();
    private boolean isDue = true;
    private long lastRead;
    private long lastFacts;
    private List<RootCandidate> roots = Collections.emptyList();
    /** Whose operations can be called, as they were read last. */
    private List<BeanFacts> callable = NO_BEANS;
    /** Those that the daemon was told of; null: of none. */
    private List<BeanFacts> told;

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
        // The others should not be missed for it: they may be read in a moment.
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
        boolean isDone = running.await(known.isEmpty() ? FIRST_PATIENCE_MS : PATIENCE_MS);
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

    /** Its thread is left to the bean that does not come back, which has no values from now on. */
    private void leave(Reading reading) {
        running = null;
        stuck.add(reading);
        // Not the map itself: the thread has that.
        known = new HashMap<BeanKey, BeanFacts>(known);
        known.putAll(reading.byKey());
        BeanFacts bean = reading.current() == null ? null : known.get(reading.current());
        if (bean != null) bean.forgetValues();
    }

    /** A bean that did come back, or a program that only stood still for a while. */
    private void releaseStuck() {
        Iterator<Reading> all = stuck.iterator();
        while (all.hasNext())
            if (all.next().isDone()) {
                all.remove();
                isDue = true;
            }
    }

    /** What can be called, see bean-facts.ts; null where the daemon knows it. */
    public synchronized void report(StringBuilder out, boolean all, TypeIds ids) {
        if (!all && told != null && told.equals(callable)) {
            out.append("null");
            return;
        }
        told = callable;
        Map<String, Integer> kinds = new LinkedHashMap<String, Integer>();
        StringBuilder beans = new StringBuilder();
        int length = 0;
        for (BeanFacts bean : told) {
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

    /** Null: it is not there any more. */
    private synchronized BeanFacts find(Object id) {
        for (BeanFacts bean : callable) if (Long.valueOf(bean.id).equals(id)) return bean;
        return null;
    }

    /** `asked`: {id, types}; what these types of a bean are. */
    public Class<?>[] typesOf(Map<?, ?> asked) {
        BeanFacts bean = find(asked.get("id"));
        return bean == null ? new Class<?>[0] : BeanCall.typesOf(bean, (List<?>) asked.get("types"));
    }

    /** `call`: as BeanCall of agent-protocol.ts. Runs on a thread of its own. */
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

    /** What a call changes is to be seen. */
    private synchronized void setDue() {
        isDue = true;
    }
}
