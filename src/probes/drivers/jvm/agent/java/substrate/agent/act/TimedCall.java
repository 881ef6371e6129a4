package substrate.agent.act;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import substrate.agent.Threads;

/** Runs code of the app on a thread of its own and waits for it no longer than allowed. */
public final class TimedCall {
    static final String THREAD = "substrate-call";
    /** An interrupted method gets this long to come back. */
    private static final long GRACE_MS = 200;
    private static final int MAX_RUNNING = 32;
    private static final AtomicInteger RUNNING = new AtomicInteger();

    private TimedCall() {}

    /** The result of the call. */
    public static final class Result {
        /** True if it returned in time, with a value or a throwable. */
        public final boolean finished;
        public final Object value;
        public final Throwable thrown;
        /** Name of the thread that it ran on. */
        public final String thread;
        /**
         * The place of the app's code when the time was over: `com.example.Shop.spin(Shop.java:12)`; null if it
         * returned.
         */
        public final String at;
        /** The call still runs. */
        public final boolean stillRunning;

        Result(boolean finished, Object value, Throwable thrown, String thread, String at, boolean stillRunning) {
            this.finished = finished;
            this.value = value;
            this.thrown = thrown;
            this.thread = thread;
            this.at = at;
            this.stillRunning = stillRunning;
        }
    }

    /** The number of calls that have not returned, including those whose time is over. */
    public static int running() {
        return RUNNING.get();
    }

    /** `context` becomes the context class loader of the call. Never throws what the call throws. */
    public static Result run(String what, ClassLoader context, Callable<Object> call, Limit limit)
            throws NotDispatched {
        if (RUNNING.incrementAndGet() > MAX_RUNNING) {
            RUNNING.decrementAndGet();
            throw new Busy(MAX_RUNNING + " earlier calls are still running");
        }
        CallTask task = new CallTask(call);
        Thread thread = new Thread(Threads.rootGroup(), task, THREAD);
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(context);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            RUNNING.decrementAndGet();
            return new Result(true, null, noThread, THREAD, null, false);
        }
        if (task.isDoneWithin(limit.ms)) return task.result();
        String at = topOfApp(thread.getStackTrace(), what);
        if (!limit.interrupts) return new Result(false, null, null, THREAD, at, true);
        thread.interrupt();
        // An interrupted call returns a value without meaning.
        boolean stillRunning = !task.isDoneWithin(GRACE_MS);
        return new Result(false, null, task.thrown, THREAD, at, stillRunning);
    }

    private static String topOfApp(StackTraceElement[] stack, String otherwise) {
        for (StackTraceElement frame : stack) {
            if (!isOfPlatform(frame.getClassName())) return placeOf(frame);
        }
        return otherwise;
    }

    /** `com.example.Shop.spin(Shop.java:12)`: newer JDKs would put the names of loader and module in front. */
    static String placeOf(StackTraceElement frame) {
        String file = frame.getFileName();
        String source = frame.isNativeMethod() ? "native" : file == null ? "unknown source" : file;
        String line = frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "";
        return frame.getClassName() + "." + frame.getMethodName() + "(" + source + line + ")";
    }

    static boolean isOfPlatform(String className) {
        return className.startsWith("java.") || className.startsWith("javax.") || className.startsWith("jdk.")
            || className.startsWith("sun.") || className.startsWith("com.sun.") || className.startsWith("substrate.");
    }

    private static final class CallTask implements Runnable {
        private final Callable<Object> call;
        private final CountDownLatch done = new CountDownLatch(1);
        private Object value;
        private volatile Throwable thrown;

        CallTask(Callable<Object> call) {
            this.call = call;
        }

        @Override
        public void run() {
            try {
                value = call.call();
            } catch (Throwable throwable) {
                thrown = throwable;
            }
            RUNNING.decrementAndGet();
            done.countDown();
        }

        boolean isDoneWithin(long ms) {
            try {
                return done.await(ms, TimeUnit.MILLISECONDS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        Result result() {
            return new Result(true, value, thrown, THREAD, null, false);
        }
    }
}
