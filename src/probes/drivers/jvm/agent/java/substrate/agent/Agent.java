package substrate.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import substrate.agent.health.Discarded;
import substrate.agent.vm.InstrumentedVm;
import substrate.agent.vm.NativeVm;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/**
 * The life of the agent, and the thread that ends it: after a `dispose`, when another agent replaces it, when no daemon
 * has come for too long, or when the program ends. Then nothing of it is left in the program. Its successor finds it by
 * the name of its class.
 */
final class Agent extends Thread implements AutoCloseable {
    /** More than one only while a second daemon learns that there is a first. */
    private static final int MAX_CONNECTIONS = 4;
    private static final long JOIN_MS = 1000;
    private static final long RETRY_MS = 1000;
    private static final long SHUTDOWN_MS = 300;

    /** All files that may be in the folder at the end, whichever side made them. */
    private static final String[] FILES = {"agent.sock", "in", "out", "daemon.sock", "error"};

    private enum End { NOT_YET, REPLACED, REMOVED }

    /** Limits the calls into the program that have not returned yet, over all connections. */
    final Semaphore calls = new Semaphore(16);
    final Settings settings;
    final Vm vm;
    private final Listener listener;
    /**
     * A JVM that exits waits 300 ms for threads in system calls, where the agent's threads wait for the daemon: the
     * hook wakes them.
     */
    private final Thread shutdownHook = new Thread(Threads.rootGroup(), new Runnable() {
        @Override
        public void run() {
            atShutdown();
        }
    }, "substrate-shutdown");
    private final List<Connection> connections = new ArrayList<Connection>();
    private Connection served;
    private long freeSince = System.nanoTime();
    private End end = End.NOT_YET;
    /** The pace of the last daemon; null before the first. */
    private volatile Pace pace;
    private volatile boolean isShuttingDown;

    private Agent(ThreadGroup group, Settings settings, Vm vm, Listener listener) {
        super(group, null, "substrate-agent");
        this.settings = settings;
        this.vm = vm;
        this.listener = listener;
    }

    /** Called by Boot. `access`: the address of a JVMTI environment, or an Instrumentation. */
    static void start(String args, Object access) throws Exception {
        Settings settings = new Settings(args);
        Listener listener = settings.usesFifos ? new FifoListener(settings.folder) : new UnixListener(settings.folder);
        try {
            Vm vm = access instanceof Long ? new NativeVm((Long) access) : new InstrumentedVm((Instrumentation) access);
            new Agent(Threads.rootGroup(), settings, vm, listener).begin();
        } catch (Throwable refused) {
            listener.close();
            throw refused;
        }
    }

    /** Throws in a program that is ending, or has no room for another thread. */
    private void begin() {
        shutdownHook.setContextClassLoader(null);
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        try {
            Threads.start(this);
        } catch (Throwable full) {
            removeShutdownHook();
            throw full;
        }
    }

    private void atShutdown() {
        isShuttingDown = true;
        endWith(End.REMOVED);
        try {
            join(SHUTDOWN_MS);
        } catch (InterruptedException end) {
            // The program is shutting down already.
        }
    }

    private void removeShutdownHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException ending) {
            // The hook itself is what runs now.
        }
    }

    @Override
    public void run() {
        try {
            Threads.start("substrate-accept", new Runnable() {
                @Override
                public void run() {
                    acceptAll();
                }
            });
            awaitEnd();
        } catch (Throwable failed) {
            Discarded.count("Agent.run", failed);
            endWith(End.REMOVED);
        }
        try {
            leave();
        } catch (Throwable failed) {
            // Nothing is lost: the agent is at its end, and no connection is left to report on.
        }
    }

    /** Called by the agent that replaces this one, which owns the folder's files from now on. */
    @Override
    public void close() {
        endWith(End.REPLACED);
    }

    void dispose() {
        endWith(End.REMOVED);
    }

    private synchronized void endWith(End how) {
        if (end == End.NOT_YET) end = how;
        notifyAll();
    }

    private synchronized void awaitEnd() throws InterruptedException {
        while (end == End.NOT_YET) {
            long left = settings.leaseMs - (System.nanoTime() - freeSince) / 1000000;
            if (served != null) wait();
            else if (left > 0) wait(left);
            else end = End.REMOVED;
        }
    }

    /** True if this connection is the one that is served, from its hello until it ends. */
    synchronized boolean serve(Connection connection) {
        if (served != null && served != connection || end != End.NOT_YET) return false;
        served = connection;
        notifyAll();
        return true;
    }

    void use(Pace pace) {
        this.pace = pace;
    }

    synchronized void left(Connection connection) {
        connections.remove(connection);
        if (served != connection) return;
        served = null;
        freeSince = System.nanoTime();
        notifyAll();
    }

    private void acceptAll() {
        while (isRunning()) {
            try {
                accept(listener.accept());
            } catch (Throwable refused) {
                Discarded.count("Agent.acceptAll", refused);
                pause();
            }
        }
    }

    private void accept(Link link) {
        Connection connection = new Connection(this, link);
        synchronized (this) {
            if (end == End.NOT_YET && connections.size() < MAX_CONNECTIONS) connections.add(connection);
            else connection = null;
        }
        if (connection == null) link.close();
        else if (!connection.start()) left(connection);
    }

    private synchronized boolean isRunning() {
        return end == End.NOT_YET;
    }

    /** A wait, because the program may be out of file descriptors for a while. */
    private synchronized void pause() {
        try {
            if (end == End.NOT_YET) wait(RETRY_MS);
        } catch (InterruptedException goOn) {
            // An interrupt of this thread has no meaning.
        }
    }

    private void leave() throws Exception {
        removeShutdownHook();
        List<Connection> open;
        synchronized (this) {
            open = new ArrayList<Connection>(connections);
        }
        listener.close();
        for (Connection connection : open) connection.close(JOIN_MS);
        if (vm instanceof AutoCloseable) ((AutoCloseable) vm).close();
        if (end != End.REMOVED) return;
        for (String name : FILES) new File(settings.folder, name).delete();
        settings.folder.delete();
        if (pace != null && !isShuttingDown) pace.collectGarbage();
    }
}
