package substrate.boot;

import java.io.File;
import java.io.FileOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Ends a running agent of any version, and starts the one in `<folder>/payload.jar` in a class loader of its own, which
 * can be collected when the agent ends. The reason of a failed start is in `<folder>/error`.
 */
public final class Starter {
    private static final String AGENT = "substrate.agent.Agent";
    private static final long END_MS = 5000;

    private Starter() {}

    /** `access`: the address of a JVMTI environment, or an Instrumentation. False if not started. */
    public static boolean start(final File folder, final String args, final Object access) {
        if (access instanceof Long || System.getSecurityManager() == null) return run(folder, args, access);
        // The caller is on the class path, where everything is forbidden.
        return AccessController.doPrivileged(new PrivilegedAction<Boolean>() {
            @Override
            public Boolean run() {
                return Starter.run(folder, args, access);
            }
        });
    }

    static boolean run(File folder, String args, Object access) {
        try {
            endRunningAgents();
            boolean isNative = access instanceof Long;
            ClassLoader loader = new Loader(new File(folder, "payload.jar"), isNative);
            if (isNative && !Boot.bind(loader.loadClass("substrate.agent.vm.Natives"))) {
                throw new IllegalStateException("the JVM refused the native methods");
            }
            Method start = loader.loadClass(AGENT).getDeclaredMethod("start", String.class, Object.class);
            start.setAccessible(true);
            start.invoke(null, args, access);
            return true;
        } catch (InvocationTargetException thrown) {
            reportFailure(folder, thrown.getCause());
        } catch (Throwable thrown) {
            reportFailure(folder, thrown);
        }
        return false;
    }

    /** Found by its thread: other versions of it are classes of other loaders. */
    private static void endRunningAgents() throws Exception {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) root = root.getParent();
        Thread[] threads = new Thread[root.activeCount() + 64];
        int count = root.enumerate(threads, false);
        for (int at = 0; at < count; at++) {
            Thread thread = threads[at];
            if (!thread.getClass().getName().equals(AGENT) || !(thread instanceof AutoCloseable)) continue;
            ((AutoCloseable) thread).close();
            thread.join(END_MS);
        }
    }

    /** Renamed in one step, so that no reader sees half of it. */
    private static void reportFailure(File folder, Throwable reason) {
        try {
            File part = new File(folder, "error.part");
            FileOutputStream out = new FileOutputStream(part);
            try {
                part.setReadable(false, false);
                part.setReadable(true, true);
                out.write(String.valueOf(reason).getBytes("UTF-8"));
            } finally {
                out.close();
            }
            part.renameTo(new File(folder, "error"));
        } catch (Throwable noReader) {
            // Nothing is lost: the folder is gone, and with it the daemon that asked for the start.
        }
    }
}
