package substrate.agent.jmx;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.act.ActionInfo;
import substrate.agent.act.ActionSource;
import substrate.agent.act.BadArgument;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;
import substrate.agent.read.Record;
import substrate.agent.state.Root;
import substrate.agent.state.RootSource;
import substrate.agent.state.Shown;
import substrate.agent.vm.Vm;

/**
 * The management beans of an app: attributes are state, operations are actions. Only servers that are there already are
 * looked at, and beans of the JDK are left out.
 *
 * This is the one place where code of the app is called for reading: an attribute is the getter of a bean, made to be
 * asked from outside. It is asked on a thread of its own, at most every two seconds, one that is slow less often, one
 * that throws once a minute. The option `jmx` switches all of it off.
 */
public final class JmxBeans implements RootSource, ActionSource {
    private static final long EVERY_NANOS = 2000000000L;
    private static final long FACTS_EVERY_NANOS = 30000000000L;
    private static final long PATIENCE_MS = 25;
    /** The first reading meets cold code; without it the first report would lack all beans, and the second add them. */
    private static final long FIRST_PATIENCE_MS = 500;
    private static final long STUCK_NANOS = 5000000000L;
    /** Each leaves a thread behind that waits for the app. */
    private static final int MAX_STUCK = 3;

    private final Vm vm;
    private final Shown shown;
    private Map<String, BeanFacts> known = new HashMap<String, BeanFacts>();
    private Reading running;
    private int stuck;
    private boolean isDue = true;
    private long lastRead;
    private long lastFacts;
    private List<Root> roots = Collections.emptyList();
    private BeanActions actions = new BeanActions(Collections.<BeanFacts>emptyList());

    public JmxBeans(Vm vm, Shown shown) {
        this.vm = vm;
        this.shown = shown;
    }

    @Override
    public synchronized List<Root> roots(boolean fresh) {
        try {
            read(fresh);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            running = null;
        }
        return roots;
    }

    private void read(boolean fresh) throws InterruptedException {
        long now = System.nanoTime();
        if (running == null && stuck < MAX_STUCK && (isDue || fresh || now - lastRead >= EVERY_NANOS)) {
            boolean asksAgain = known.isEmpty() || now - lastFacts >= FACTS_EVERY_NANOS;
            if (asksAgain) lastFacts = now;
            running = new Reading(known, asksAgain);
            running.start();
        }
        if (running == null) return;
        if (running.await(known.isEmpty() ? FIRST_PATIENCE_MS : PATIENCE_MS)) take(running);
        else if (running.ageNanos() > STUCK_NANOS) giveUp(running);
    }

    private void take(Reading reading) {
        running = null;
        isDue = false;
        lastRead = System.nanoTime();
        boolean isSame = known.size() == reading.beans.size();
        for (BeanFacts bean : reading.beans) isSame &= known.get(Reading.key(bean.server, bean.name)) == bean;
        known = reading.byKey();
        Record record = BeanTree.record(reading.beans);
        roots = record.size() == 0
            ? Collections.<Root>emptyList()
            : Collections.singletonList(new Root("jmx", "management beans", null, record));
        if (!isSame) actions = new BeanActions(reading.beans);
    }

    /** The getter that does not come back is not asked again. Its thread is left to it. */
    private void giveUp(Reading reading) {
        BeanFacts.AttributeFacts current = reading.current();
        if (current != null) current.isStuck();
        stuck++;
        known.putAll(reading.byKey());
        running = null;
    }

    @Override
    public String scheme() {
        return BeanActions.SCHEME;
    }

    @Override
    public synchronized List<ActionInfo> actions() {
        return actions.actions;
    }

    @Override
    public Outcome invoke(String binding, Map<String, Object> args, long timeoutMs) throws BadArgument, NotDispatched {
        BeanActions.Call call;
        synchronized (this) {
            call = actions.calls.get(binding);
            // What it changes is to be seen.
            isDue = true;
        }
        if (call == null) throw new NotDispatched("this operation is not there any more");
        try {
            return new BeanCall(vm, shown, call, args).run(timeoutMs);
        } finally {
            synchronized (this) {
                isDue = true;
            }
        }
    }
}
