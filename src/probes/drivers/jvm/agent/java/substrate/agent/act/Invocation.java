package substrate.agent.act;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import substrate.agent.code.Descriptor;
import substrate.agent.health.Discarded;
import substrate.agent.json.JsonWriter;
import substrate.agent.state.Shown;
import substrate.agent.vm.Vm;

/** One call of a method of the app, and its result. */
final class Invocation implements Callable<Object> {
    private static final int MAX_LEAVES = 1000;
    private static final int MAX_CHARS = 100000;
    private static final int MAX_SPOKEN = 200;
    /** The wait for a future ends this long before the call itself would be interrupted. */
    private static final long MARGIN_MS = 50;

    private final Vm vm;
    private final Shown shown;
    private final Method method;
    /** Null for a static method. */
    private final Object object;
    private final Plan[] values;
    private final long deadline;
    private final Limit limit;
    private volatile String thread = TimedCall.THREAD;
    private volatile boolean isBegun;
    /** True when the arguments are made. */
    private volatile boolean isEntered;
    private volatile boolean isPending;

    Invocation(Vm vm, Shown shown, Method method, Object object, Plan[] values, Limit limit) {
        this.vm = vm;
        this.shown = shown;
        this.method = method;
        this.object = object;
        this.values = values;
        this.limit = limit;
        deadline = System.nanoTime() + limit.ms * 1000000L;
    }

    Outcome run() throws NotDispatched {
        final Class<?> type = object == null ? method.getDeclaringClass() : object.getClass();
        final boolean belongsToEvents = belongsToEventThread(type);
        final Invocation self = this;
        Callable<Object> call = new Callable<Object>() {
            @Override
            public Object call() throws Exception {
                Object value = belongsToEvents ? new OnEventThread(self).call() : self.call();
                return settled(value);
            }
        };
        // Only the agent's own wait is interrupted there: a task that the event thread has not begun is cancelled.
        Limit ofCall = belongsToEvents ? new Limit(limit.ms, true) : limit;
        TimedCall.Result result = TimedCall.run("its start", type.getClassLoader(), call, ofCall);
        // The call was cancelled before the event thread began it.
        if (!result.finished && !result.stillRunning && !isBegun) {
            throw new Busy("the event thread has been busy for " + limit.time());
        }
        Map<String, Object> context = context();
        if (!result.finished) return new Outcome(false, late(result), null, context);
        if (result.thrown != null) return failed(result.thrown, context);
        return returned(result.value, context);
    }

    /** Runs on the thread of the call: constructors of arguments are the app's code as well. */
    @Override
    public Object call() throws Exception {
        isBegun = true;
        thread = Thread.currentThread().getName();
        Object[] arguments = Plan.makeAll(values);
        isEntered = true;
        return method.invoke(object, arguments);
    }

    /** The value of a JDK future if it comes in time; otherwise the future itself. */
    private Object settled(Object value) throws Exception {
        if (!(value instanceof Future) || value.getClass().getClassLoader() != null) return value;
        long left = deadline - System.nanoTime() - MARGIN_MS * 1000000L;
        try {
            return ((Future<?>) value).get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException notYet) {
            isPending = true;
            return value;
        } catch (CancellationException cancelled) {
            throw new InvocationTargetException(cancelled);
        } catch (ExecutionException failed) {
            throw new InvocationTargetException(failed.getCause() == null ? failed : failed.getCause());
        }
    }

    private Outcome returned(Object value, Map<String, Object> context) {
        String name = method.getName();
        if (isPending) {
            String what = TypeWords.aOr(TypeWords.simpleName(value.getClass()));
            return new Outcome(true, name + " returned " + what + " that is not done after " + limit.time(), null, context);
        }
        if (method.getReturnType() == void.class) return new Outcome(true, name + " ran", null, context);
        try {
            Object json = bounded(shown.flatten(value, MAX_LEAVES));
            return new Outcome(true, name + " returned " + spoken(value, json), json, context);
        } catch (Throwable unreadable) {
            // The call was made, which must be reported; there may be no memory for more.
            Discarded.count("Invocation.returned", unreadable);
            String what = value == null ? "null" : TypeWords.aOr(TypeWords.simpleName(value.getClass()));
            return new Outcome(true, name + " returned " + what + " that cannot be shown", null, context);
        }
    }

    /** Each text is cut by itself; a thousand of them may still be too much to read. */
    private static Object bounded(Object json) {
        if (!(json instanceof Map)) return json;
        Map<Object, Object> kept = new LinkedHashMap<Object, Object>();
        int chars = 0;
        for (Map.Entry<?, ?> leaf : ((Map<?, ?>) json).entrySet()) {
            Object value = leaf.getValue();
            chars += ((String) leaf.getKey()).length() + (value instanceof String ? ((String) value).length() : 8);
            if (chars > MAX_CHARS) break;
            kept.put(leaf.getKey(), value);
        }
        return kept;
    }

    private static String spoken(Object value, Object json) {
        if (json instanceof Map || json instanceof Iterable) {
            return value == null ? "null" : TypeWords.aOr(TypeWords.spokenName(value));
        }
        StringBuilder text = new StringBuilder();
        if (json instanceof String) text.append((String) json);
        else JsonWriter.value(text, json);
        return text.length() <= MAX_SPOKEN ? text.toString() : text.substring(0, MAX_SPOKEN) + "…";
    }

    private Outcome failed(Throwable thrown, Map<String, Object> context) {
        Throwable cause = thrown;
        if (thrown instanceof InvocationTargetException && thrown.getCause() != null) cause = thrown.getCause();
        String what = isEntered ? method.getName() + " threw " : "making the arguments threw ";
        return new Outcome(false, what + Thrown.text(vm, cause), Thrown.json(vm, cause), context);
    }

    private String late(TimedCall.Result result) {
        String name = method.getName();
        if (!thread.equals(TimedCall.THREAD)) {
            return name + " is still running after " + limit.time() + " in thread " + thread;
        }
        if (result.stillRunning) {
            return name + " is still running after " + limit.time() + " in thread " + result.thread + " at " + result.at
                + (limit.interrupts ? "; it was interrupted and did not stop" : "");
        }
        return name + " had not come back after " + limit.time() + ", at " + result.at + "; it was interrupted and stopped";
    }

    private Map<String, Object> context() {
        Map<String, Object> context = new LinkedHashMap<String, Object>();
        Class<?> home = method.getDeclaringClass();
        context.put("class", home.getName());
        context.put("method", method.getName());
        context.put("signature", Descriptor.of(method.getParameterTypes(), method.getReturnType()));
        context.put("instance", object == null
            ? null
            : TypeWords.simpleName(object.getClass()) + "@" + Integer.toHexString(System.identityHashCode(object)));
        context.put("thread", thread);
        return context;
    }

    /**
     * Components, and all classes that extend or implement a part of Swing. Checked by name, because a class literal
     * would load AWT.
     */
    private static boolean belongsToEventThread(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.getName().equals("java.awt.Component") || isOfSwing(at)) return true;
            for (Class<?> each : at.getInterfaces()) if (isOfSwing(each)) return true;
        }
        return false;
    }

    private static boolean isOfSwing(Class<?> type) {
        return type.getClassLoader() == null && type.getName().startsWith("javax.swing.");
    }
}
