package substrate.agent;

/** Threads of the agent: they never keep the program running, and hold no class loader or group of it. */
public final class Threads {
    private Threads() {}

    /** The group above those of the program, which it may list, interrupt or destroy. */
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
