package substrate.agent;

import java.util.ArrayList;
import java.util.List;
import substrate.agent.fx.FxUi;
import substrate.agent.health.Discarded;
import substrate.agent.health.Parts;
import substrate.agent.jmx.JmxBeans;
import substrate.agent.state.RootCandidate;
import substrate.agent.state.RootSource;
import substrate.agent.state.Shown;
import substrate.agent.screen.Memory;
import substrate.agent.screen.Ui;
import substrate.agent.swing.SwingUi;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** Windows and management beans, once the program has some: they are never brought into a program that has none. */
final class Extras implements RootSource {
    private static final long LOOK_EVERY_NS = 10L * 1000 * 1000 * 1000;
    private final Vm vm;
    private final Pace pace;
    /** One for all toolkits, so that no number stands for two widgets. */
    private final Memory.Registry widgets = new Memory.Registry();
    private boolean wantsSwing;
    private boolean wantsFx;
    private boolean wantsJmx;
    private Shown shown;
    private SwingUi swing;
    private FxUi fx;
    /** Whose windows were reported last. */
    private Ui reported;
    private JmxBeans jmx;
    private boolean hasLooked;
    private long lookedAt;

    Extras(Vm vm, Pace pace, boolean wantsWindows, boolean wantsJmx) {
        this.vm = vm;
        this.pace = pace;
        wantsSwing = wantsWindows;
        wantsFx = wantsWindows;
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
        if (fx != null) fx.look();
        if (jmx != null) roots.addAll(jmx.roots(fresh));
        return roots;
    }

    /** Null: the program has no windows. */
    synchronized Ui windows() {
        return fx != null && (fx.hasWindows() || swing == null) ? fx : swing;
    }

    /** A report of other windows than before is a whole one. */
    synchronized void reportScreen(StringBuilder out, boolean all) {
        Ui windows = windows();
        if (windows == null) out.append("null");
        else windows.report(out, all || windows != reported);
        reported = windows;
    }

    /** Null: the program has none. */
    synchronized JmxBeans beans() {
        return jmx;
    }

    private void look() {
        long now = System.nanoTime();
        if (!wantsSwing && !wantsFx && !wantsJmx || hasLooked && now - lookedAt < LOOK_EVERY_NS) return;
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
        if (wantsFx) addFx();
        if (wantsJmx && hasJmx) addJmx();
    }

    /** Tried once: where it fails, the state is still worth having. */
    private void addSwing() {
        wantsSwing = false;
        try {
            swing = new SwingUi(vm, pace, widgets);
        } catch (Throwable failed) {
            Parts.miss("swing", SwingUi.EFFECT, failed);
        }
    }

    private void addFx() {
        try {
            fx = FxUi.find(vm, pace, widgets);
            wantsFx = fx == null;
        } catch (Throwable failed) {
            wantsFx = false;
            Parts.miss("javafx", FxUi.EFFECT, failed);
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
        fx = null;
        reported = null;
        jmx = null;
        wantsSwing = false;
        wantsFx = false;
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
