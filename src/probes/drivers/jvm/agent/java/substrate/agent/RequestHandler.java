package substrate.agent;

import java.util.Collections;
import java.util.Map;
import substrate.agent.act.BadArgument;
import substrate.agent.act.Busy;
import substrate.agent.act.Limit;
import substrate.agent.act.MethodReporter;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;
import substrate.agent.health.HealthReport;
import substrate.agent.jmx.JmxBeans;
import substrate.agent.json.JsonWriter;
import substrate.agent.json.Pieces;
import substrate.agent.state.CaptureReport;
import substrate.agent.state.RootSource;
import substrate.agent.state.StateReader;
import substrate.agent.screen.Ui;
import substrate.agent.vm.Pace;
import substrate.agent.vm.Vm;

/** Serves one daemon: connects the state reader, the actions, and the caches of what was sent before. */
final class RequestHandler {
    private static final int MAX_MESSAGE = 10000;
    private static final int MAX_REASON = 4000;
    private final Pace pace;
    private final Extras extras;
    private final StateReader reader;
    private final MethodReporter methods;
    private final SentCache sent = new SentCache();
    private final HealthReport health = new HealthReport();
    /** True while the last report reached the daemon; otherwise everything has to be sent. */
    private boolean isInStep;
    private boolean hasSearched;

    RequestHandler(Vm vm, int maxKeys, Pace pace, boolean jmx, boolean swing) {
        this.pace = pace;
        extras = new Extras(vm, pace, swing, jmx);
        reader = new StateReader(vm, maxKeys, pace, Collections.<RootSource>singletonList(extras));
        extras.setShown(reader);
        methods = new MethodReporter(vm, reader, pace);
    }

    void learn(Map<?, ?> rules) {
        reader.learn(rules);
    }

    String mainClass() {
        return reader.mainClass();
    }

    /** Written as further members of an object. */
    void health(StringBuilder out) {
        health.write(out, true);
    }

    void capture(Pieces answer, Map<?, ?> request) {
        boolean deep = Boolean.TRUE.equals(request.get("deep"));
        boolean all = Boolean.TRUE.equals(request.get("full")) || !isInStep;
        isInStep = false;
        if (all) sent.forget();
        pace.begin(deep || !hasSearched);
        reader.reserve(request.get("reservedKeys"));
        CaptureReport report = reader.capture(all, deep);
        answer.end().append("{\"leaves\":");
        StringBuilder out = answer.append(report.leaves).end();
        sent.roots(out.append(",\"roots\":"), report.roots);
        JmxBeans beans = extras.beans();
        out.append(",\"beans\":");
        if (beans == null) out.append("null");
        else beans.report(out, all, methods.types());
        out.append(",\"hasMethodNews\":").append(methods.hasNews());
        extras.reportScreen(out.append(",\"screen\":"), all);
        out.append(",\"rawCount\":").append(report.rawCount);
        JsonWriter.decimal(out.append(",\"coverage\":"), Math.max(0, Math.min(1, report.coverage)));
        JsonWriter.value(out.append(",\"stoppedBy\":"), report.stoppedBy);
        JsonWriter.decimal(out.append(",\"costMs\":"), pace.end());
        health.write(out, all);
        out.append('}');
        hasSearched = true;
        isInStep = true;
    }

    /** Called after a capture; its time is a part of that of the search until all methods are listed. */
    void methods(StringBuilder out, Map<?, ?> request) {
        pace.begin(!methods.isListed());
        methods.report(out, request);
        JsonWriter.decimal(out.append(",\"costMs\":"), pace.endBackground());
        out.append('}');
    }

    void invoke(StringBuilder out, Map<?, ?> request) {
        reader.name(request.get("roots"));
        try {
            Map<?, ?> call = (Map<?, ?>) request.get("call");
            Outcome outcome = "use".equals(request.get("op")) ? use(request)
                : call.get("choices") != null ? methods.invoke(call, limit(request))
                : beans().invoke(call, limit(request));
            out.append("{\"ok\":").append(outcome.ok);
            JsonWriter.string(out.append(",\"message\":"), cut(String.valueOf(outcome.message), MAX_MESSAGE));
            JsonWriter.value(out.append(",\"rawReturn\":"), outcome.rawReturn);
            JsonWriter.value(out.append(",\"context\":"), outcome.context);
            out.append('}');
        } catch (BadArgument refused) {
            refuse(out, "argument", refused);
        } catch (NotDispatched refused) {
            refuse(out, refused instanceof Busy ? "busy" : "gone", refused);
        }
    }

    /** Describes, before a call, the values that its parameters take. */
    void describe(StringBuilder out, Map<?, ?> request) {
        reader.name(request.get("roots"));
        JmxBeans beans = extras.beans();
        Map<?, ?> bean = (Map<?, ?>) request.get("bean");
        methods.describe(out, request, beans == null || bean == null ? new Class<?>[0] : beans.typesOf(bean));
    }

    private Outcome use(Map<?, ?> request) throws BadArgument, NotDispatched {
        Ui windows = extras.windows();
        if (windows == null) throw new NotDispatched("this program has no windows");
        return windows.use(request, args(request), limit(request).ms);
    }

    private static void refuse(StringBuilder out, String why, Exception refused) {
        JsonWriter.string(out.append("{\"refused\":"), why);
        JsonWriter.string(out.append(",\"message\":"), cut(String.valueOf(refused.getMessage()), MAX_REASON));
        out.append('}');
    }

    private JmxBeans beans() throws NotDispatched {
        JmxBeans beans = extras.beans();
        if (beans == null) throw new NotDispatched("this program has no management beans");
        return beans;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> args(Map<?, ?> request) {
        Object args = request.get("args");
        return args instanceof Map ? (Map<String, Object>) args : Collections.<String, Object>emptyMap();
    }

    private static Limit limit(Map<?, ?> request) {
        Object timeout = request.get("timeoutMs");
        long ms = timeout instanceof Number ? Math.max(1, ((Number) timeout).longValue()) : 10000;
        return new Limit(ms, Boolean.TRUE.equals(request.get("interrupt")));
    }

    static String cut(String text, int max) {
        return text == null || text.length() <= max ? text : text.substring(0, max);
    }

    void close() {
        extras.close();
    }
}
