package substrate.agent;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import substrate.agent.health.Discarded;
import substrate.agent.json.JsonReader;
import substrate.agent.json.JsonWriter;
import substrate.agent.json.Pieces;
import substrate.agent.vm.Pace;

/**
 * One daemon's requests: read on one thread, captures on a second, one after the other, each call of an action on a
 * thread of its own. Nothing thrown leaves here.
 */
final class Connection implements Runnable {
    private static final int MAX_WAITING = 16;
    private final Agent agent;
    private final Frames frames;
    private final BlockingQueue<Map<?, ?>> captures = new ArrayBlockingQueue<Map<?, ?>>(MAX_WAITING);
    private volatile Thread reader;
    private volatile Thread captureThread;
    /** Null before the hello. */
    private volatile RequestHandler handler;

    Connection(Agent agent, Link link) {
        this.agent = agent;
        this.frames = new Frames(link);
    }

    /** False if the program has no room for another thread. */
    boolean start() {
        try {
            reader = Threads.start("substrate-reader", this);
            return true;
        } catch (Throwable full) {
            Discarded.count("Connection.start", full);
            frames.close();
            return false;
        }
    }

    /** Waits for the threads that read; it cannot wait for a call that the program does not end. */
    void close(long joinMs) throws InterruptedException {
        frames.close();
        Thread reading = reader;
        if (reading != null) reading.join(joinMs);
        Thread capturing = captureThread;
        if (capturing != null) capturing.join(joinMs);
    }

    @Override
    public void run() {
        try {
            for (String text = frames.read(); text != null; text = frames.read()) {
                if (!take((Map<?, ?>) JsonReader.parse(text))) break;
            }
        } catch (Throwable malformed) {
            // A malformed frame, or no memory: the other side sees that the connection ends.
            Discarded.count("Connection.run", malformed);
        } finally {
            frames.close();
            Thread capturing = captureThread;
            if (capturing != null) capturing.interrupt();
            agent.left(this);
        }
    }

    /** False if the connection has to end. */
    private boolean take(final Map<?, ?> request) throws Exception {
        Object op = request.get("op");
        // A second hello is allowed: a pipe does not show that another daemon has replaced the first.
        if ("hello".equals(op)) return hello(request);
        if (handler == null) return false;
        if ("dispose".equals(op)) {
            agent.dispose();
            return false;
        }
        if ("rules".equals(op)) {
            handler.learn(request);
            frames.write(answer(request).append("\"result\":{}}"));
        } else if ("capture".equals(op) || "methods".equals(op)) {
            if (!captures.offer(request)) refuse(request, "too many captures are waiting");
        } else if ("invoke".equals(op) || "use".equals(op) || "describe".equals(op)) {
            call(request);
        } else {
            refuse(request, "unknown operation " + op);
        }
        return true;
    }

    private boolean hello(Map<?, ?> request) throws Exception {
        if (!agent.serve(this)) {
            refuse(request, "busy");
            return false;
        }
        int maxKeys = ((Number) request.get("maxKeys")).intValue();
        RequestHandler before = handler;
        Pace pace = pace(request.get("budget"));
        agent.use(pace);
        handler = new RequestHandler(agent.vm, maxKeys, pace, isTrue(request, "jmx"), isTrue(request, "swing"));
        if (before != null) before.close();
        if (captureThread == null) captureThread = Threads.start("substrate-capture", new Runnable() {
            @Override
            public void run() {
                captureAll();
            }
        });
        StringBuilder answer = answer(request).append("\"result\":{\"protocol\":").append(Protocol.VERSION);
        JsonWriter.string(answer.append(",\"build\":"), agent.settings.build);
        JsonWriter.string(answer.append(",\"java\":"), String.valueOf(System.getProperty("java.version")));
        JsonWriter.value(answer.append(",\"main\":"), RequestHandler.cut(handler.mainClass(), 2000));
        answer.append(",\"native\":").append(agent.vm.seesStacks());
        handler.health(answer);
        frames.write(answer.append("}}"));
        return true;
    }

    private Pace pace(Object budget) {
        if (!(budget instanceof Map)) return Pace.free(agent.vm);
        Map<?, ?> parts = (Map<?, ?>) budget;
        double percent = ((Number) parts.get("searchPercent")).doubleValue();
        long memory = ((Number) parts.get("memoryBytes")).longValue();
        return new Pace(agent.vm, ((Number) parts.get("searchMs")).longValue(), percent, memory);
    }

    private void captureAll() {
        try {
            for (;;) {
                Map<?, ?> request = captures.take();
                Pieces answer = new Pieces(answer(request).append("\"result\":"));
                try {
                    if ("methods".equals(request.get("op"))) handler.methods(answer.end(), request);
                    else handler.capture(answer, request);
                    answer.end().append('}');
                } catch (Throwable failed) {
                    answer = new Pieces(error(request, failed));
                }
                frames.write(answer);
            }
        } catch (Throwable end) {
            // Nothing is lost: the reader interrupted this thread, or the connection is closed and the daemon sees that.
            frames.close();
        } finally {
            handler.close();
        }
    }

    private void call(final Map<?, ?> request) throws Exception {
        if (!agent.calls.tryAcquire()) {
            refuse(request, "too many calls are still running");
            return;
        }
        try {
            Threads.start("substrate-invoke", new Runnable() {
                @Override
                public void run() {
                    invoke(request);
                }
            });
        } catch (Throwable full) {
            // Nothing is lost: the request is refused, with the reason.
            agent.calls.release();
            refuse(request, "the program has no room for another thread");
        }
    }

    private void invoke(Map<?, ?> request) {
        try {
            StringBuilder answer = answer(request);
            try {
                answer.append("\"result\":");
                if ("describe".equals(request.get("op"))) handler.describe(answer, request);
                else handler.invoke(answer, request);
                answer.append('}');
            } catch (Throwable failed) {
                answer = error(request, failed);
            }
            frames.write(answer);
        } catch (Throwable end) {
            // Nothing is lost: the connection is closed, and the daemon sees that.
        } finally {
            agent.calls.release();
        }
    }

    private void refuse(Map<?, ?> request, String message) throws Exception {
        StringBuilder answer = answer(request);
        JsonWriter.string(answer.append("\"error\":"), message);
        frames.write(answer.append('}'));
    }

    private static StringBuilder error(Map<?, ?> request, Throwable reason) {
        StringBuilder answer = answer(request);
        JsonWriter.string(answer.append("\"error\":"), String.valueOf(reason));
        return answer.append('}');
    }

    private static StringBuilder answer(Map<?, ?> request) {
        StringBuilder answer = new StringBuilder(256);
        JsonWriter.value(answer.append("{\"id\":"), request.get("id"));
        return answer.append(',');
    }

    private static boolean isTrue(Map<?, ?> request, String name) {
        return Boolean.TRUE.equals(request.get(name));
    }
}
