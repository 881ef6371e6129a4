package substrate.agent.state;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

import substrate.agent.health.Discarded;
import substrate.agent.health.Parts;
import substrate.agent.read.Ownership;
import substrate.agent.read.Slot;
import substrate.agent.vm.Vm;

/** The objects that live threads hold: their runnables, thread locals, and shutdown hooks. */
final class ThreadRoots {
    /** Followed by the name of the thread. */
    static final String ORIGIN = "held by thread ";

    private final Vm vm;
    private final AppClasses classes;
    private final Slot target;
    private final Slot holder;
    private final Slot locals;
    private final Slot inheritedLocals;
    private Slot task;
    private Slot table;
    private Slot value;
    private Slot hooks;
    private Method threads;

    ThreadRoots(Vm vm, AppClasses classes) {
        this.vm = vm;
        this.classes = classes;
        target = Slot.find(vm, Thread.class, "target");
        holder = Slot.find(vm, Thread.class, "holder");
        locals = Slot.find(vm, Thread.class, "threadLocals");
        inheritedLocals = Slot.find(vm, Thread.class, "inheritableThreadLocals");
        try {
            threads = Thread.class.getDeclaredMethod("getThreads");
            threads.setAccessible(true);
        } catch (Throwable absent) {
            // Nothing is lost: the threads are listed by their groups then.
            threads = null;
        }
        if (target == null && holder == null || locals == null)
            Parts.miss("threads", "java.lang.Thread is closed or of an unknown version: objects that only threads hold "
                + "are not found");
    }

    /** The live threads of the app and of the JDK, the oldest first. */
    Thread[] live() {
        Thread[] all = null;
        try {
            if (threads != null) all = (Thread[]) threads.invoke(null);
        } catch (Throwable refused) {
            Discarded.count("ThreadRoots.live", refused);
            threads = null;
        }
        if (all == null) all = listed();
        Thread[] own = new Thread[all.length];
        int count = 0;
        for (Thread thread : all)
            if (thread != null && !thread.getName().startsWith("substrate-")) own[count++] = thread;
        own = Arrays.copyOf(own, count);
        Arrays.sort(own, new Comparator<Thread>() {
            @Override
            public int compare(Thread left, Thread right) {
                return Long.compare(idOf(left), idOf(right));
            }
        });
        return own;
    }

    private static Thread[] listed() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group != null && group.getParent() != null) group = group.getParent();
        Thread[] threads = new Thread[group == null ? 0 : group.activeCount() * 2 + 16];
        if (group != null) group.enumerate(threads, true);
        return threads;
    }

    /** The VM's id; the app can override getId. */
    private static long idOf(Thread thread) {
        return thread.getClass() == Thread.class ? thread.getId() : System.identityHashCode(thread) | 1L << 40;
    }

    void startAll(HeldObjects held) {
        for (Thread thread : live()) {
            String origin = ORIGIN + thread.getName();
            if (classes.of(thread.getClass()) == Ownership.APP) held.start(thread, origin);
            else held.startFields(thread, origin);
            held.start(taskOf(thread), origin);
            startLocals(held, locals, thread, origin);
            startLocals(held, inheritedLocals, thread, origin);
        }
        startHooks(held);
    }

    private Object taskOf(Thread thread) {
        if (target != null) return target.get(thread);
        Object fields = holder == null ? null : holder.get(thread);
        if (fields == null) return null;
        if (task == null) task = Slot.find(vm, fields.getClass(), "task");
        return task == null ? null : task.get(fields);
    }

    private void startLocals(HeldObjects held, Slot slot, Thread thread, String origin) {
        Object map = slot == null ? null : slot.get(thread);
        if (map == null) return;
        if (table == null) table = Slot.find(vm, map.getClass(), "table");
        Object entries = table == null ? null : table.get(map);
        if (!(entries instanceof Object[])) return;
        for (Object entry : (Object[]) entries) {
            if (entry == null) continue;
            if (value == null) value = Slot.find(vm, entry.getClass(), "value");
            if (value != null) held.start(value.get(entry), "local value of thread " + thread.getName());
        }
    }

    private void startHooks(HeldObjects held) {
        try {
            Class<?> type = Class.forName("java.lang.ApplicationShutdownHooks", false, null);
            if (!vm.isInitialised(type)) return;
            if (hooks == null) hooks = Slot.find(vm, type, "hooks");
            Object map = hooks == null ? null : hooks.get(null);
            Slot pairs = map == null ? null : Slot.find(vm, map.getClass(), "table");
            Object entries = pairs == null ? null : pairs.get(map);
            if (!(entries instanceof Object[])) return;
            for (Object entry : (Object[]) entries)
                if (entry instanceof Thread) {
                    held.startFields(entry, "shutdown hook");
                    held.start(taskOf((Thread) entry), "shutdown hook");
                }
        } catch (Throwable otherVersion) {
            // Shutdown hooks are not found then.
            Discarded.count("ThreadRoots.startHooks", otherVersion);
        }
    }
}
