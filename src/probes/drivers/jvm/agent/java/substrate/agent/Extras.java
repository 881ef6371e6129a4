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

/**
 * Windows and management beans, once the program has some. The agent never loads their libraries into a program without
 * them.
 */
final class Extras implements RootSource {
    private static final long SEARCH_EVERY_NS = 10L * 1000 * 1000 * 1000;
    private final Vm vm;
    private final Pace pace;
    /** One registry for all toolkits, so that no id stands for two widgets. */
    private final Memory.Registry widgets = new Memory.Registry();
    private boolean wantsSwing;
    private boolean wantsFx;
    private boolean wantsJmx;
    private Shown shown;
    private SwingUi swing;
    private FxUi fx;
    /** The toolkit whose windows were reported last. */
    private Ui reported;
    private JmxBeans jmx;
    private boolean hasSearched;
    private long searchedAt;

    Extras(Vm vm, Pace pace, boolean wantsWindows, boolean wantsJmx) {
        this.vm = vm;
        this.pace = pace;
        wantsSwing = wantsWindows;
        wantsFx = wantsWindows;
        this.wantsJmx = wantsJmx;
    }

    /**
     * Connects state and beans both ways: the state reader asks for the beans' roots, the beans ask what is shown. One
     * of them exists only later.
     */
    void setShown(Shown shown) {
        this.shown = shown;
    }

    @Override
    public synchronized List<RootCandidate> roots(boolean fresh) {
        search();
        List<RootCandidate> roots = new ArrayList<RootCandidate>();
        if (swing != null) swing.readWindows();
        if (fx != null) fx.readWindows();
        if (jmx != null) roots.addAll(jmx.roots(fresh));
        return roots;
    }

    /** Null if the program has no windows. */
    synchronized Ui windows() {
        return fx != null && (fx.hasWindows() || swing == null) ? fx : swing;
    }

    /** A report of another toolkit than before has to be complete. */
    synchronized void reportScreen(StringBuilder out, boolean all) {
        Ui windows = windows();
        if (windows == null) out.append("null");
        else windows.report(out, all || windows != reported);
        reported = windows;
    }

    /** Null if the program has no beans. */
    synchronized JmxBeans beans() {
        return jmx;
    }

    private void search() {
        long now = System.nanoTime();
        if (!wantsSwing && !wantsFx && !wantsJmx || hasSearched && now - searchedAt < SEARCH_EVERY_NS) return;
        hasSearched = true;
        searchedAt = now;
        boolean hasSwing = false;
        boolean hasJmx = false;
        for (Class<?> type : vm.loadedClasses()) {
            // Both classes are the JDK's. The loader is checked first, because getName makes a text at its first call.
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
            // The part has nothing more to release.
            Discarded.count("Extras.close", closed);
        }
    }
}
