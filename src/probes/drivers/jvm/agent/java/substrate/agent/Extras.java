package substrate.agent;

import java.util.ArrayList;
import java.util.List;
import substrate.agent.health.Discarded;
import substrate.agent.health.Parts;
import substrate.agent.jmx.JmxBeans;
import substrate.agent.state.RootCandidate;
import substrate.agent.state.RootSource;
import substrate.agent.state.Shown;
import substrate.agent.swing.SwingUi;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** Windows and management beans, once the program has some: they are never brought into a program that has none. */
final class Extras implements RootSource {
    private static final long LOOK_EVERY_NS = 10L * 1000 * 1000 * 1000;
    private final Vm vm;
    private final Pace pace;
    private boolean wantsSwing;
    private boolean wantsJmx;
    private Shown shown;
    private SwingUi swing;
    private JmxBeans jmx;
    private boolean hasLooked;
    private long lookedAt;

    Extras(Vm vm, Pace pace, boolean wantsSwing, boolean wantsJmx) {
        this.vm = vm;
        this.pace = pace;
        this.wantsSwing = wantsSwing;
        this.wantsJmx = wantsJmx;
    }

    /** Who shows the state is told who else has roots, and these are told what it shows: one of the two comes later. */
    void setShown(Shown shown) {
        this.shown = shown;
    }

    @Override
    public synchronized List<RootCandidate> roots(boolean fresh) {
        look();
        List<RootCandidate> roots = new ArrayList<RootCandidate>();
        if (swing != null) swing.look();
        if (jmx != null) roots.addAll(jmx.roots(fresh));
        return roots;
    }

    /** Null: the program has no windows. */
    synchronized SwingUi windows() {
        return swing;
    }

    /** Null: the program has none. */
    synchronized JmxBeans beans() {
        return jmx;
    }

    private void look() {
        long now = System.nanoTime();
        if (!wantsSwing && !wantsJmx || hasLooked && now - lookedAt < LOOK_EVERY_NS) return;
        hasLooked = true;
        lookedAt = now;
        boolean hasSwing = false;
        boolean hasJmx = false;
        for (Class<?> type : vm.loadedClasses()) {
            // Both are the JDK's; asked first, because a name is made when it is asked for.
            if (type.getClassLoader() != null || type.isArray()) continue;
            String name = type.getName();
            if (name.equals("java.awt.Window")) hasSwing = vm.isInitialised(type);
            else if (name.equals("javax.management.MBeanServerFactory")) hasJmx = vm.isInitialised(type);
        }
        if (wantsSwing && hasSwing) addSwing();
        if (wantsJmx && hasJmx) addJmx();
    }

    /** Tried once: where it fails, the state is still worth having. */
    private void addSwing() {
        wantsSwing = false;
        try {
            swing = new SwingUi(vm, pace);
        } catch (Throwable failed) {
            Parts.miss("swing", SwingUi.EFFECT, failed);
        }
    }

    private void addJmx() {
        wantsJmx = false;
        try {
            jmx = new JmxBeans(vm, pace, shown);
        } catch (Throwable failed) {
            Parts.miss("jmx", JmxBeans.EFFECT, failed);
        }
    }

    synchronized void close() {
        close(jmx);
        swing = null;
        jmx = null;
        wantsSwing = false;
        wantsJmx = false;
    }

    private static void close(Object source) {
        try {
            if (source instanceof AutoCloseable) ((AutoCloseable) source).close();
        } catch (Exception closed) {
            // It has nothing more to give back.
            Discarded.count("Extras.close", closed);
        }
    }
}
