package substrate.agent;

/** Threads of the agent: they keep the program from nothing, and nothing of the program. */
public final class Threads {
    private Threads() {}

    /** Above the groups of the program, which it may list, interrupt or destroy. */
    public static ThreadGroup rootGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) group = group.getParent();
        return group;
    }

    static Thread start(String name, Runnable work) {
        return start(new Thread(rootGroup(), work, name));
    }

    static Thread start(Thread thread) {
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
        return thread;
    }
}
