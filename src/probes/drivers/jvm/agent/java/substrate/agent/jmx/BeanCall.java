package substrate.agent.jmx;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import substrate.agent.act.BadArgument;
import substrate.agent.act.Limit;
import substrate.agent.act.NotDispatched;
import substrate.agent.act.Outcome;
import substrate.agent.act.Thrown;
import substrate.agent.act.TimedCall;
import substrate.agent.act.ValueMaker;
import substrate.agent.state.Shown;
import substrate.agent.vm.Vm;

/** One call of an operation, or one write of an attribute. */
final class BeanCall {
    private static final int MAX_LEAVES = 1000;
    private static final Class<?>[] PRIMITIVES = {
        int.class, long.class, double.class, float.class, short.class, byte.class, boolean.class, char.class,
    };
    private final Vm vm;
    private final Shown shown;
    private final BeanFacts bean;
    /** The request: {operation: {name, types} or null, attribute, values}. */
    private final Map<?, ?> request;
    /** Null if an attribute is set. */
    private final String operation;
    private final String[] types;

    BeanCall(Vm vm, Shown shown, BeanFacts bean, Map<?, ?> request) throws NotDispatched {
        this.vm = vm;
        this.shown = shown;
        this.bean = bean;
        this.request = request;
        Map<?, ?> called = (Map<?, ?>) request.get("operation");
        operation = called == null ? null : (String) called.get("name");
        BeanFacts.AttributeFacts attribute = bean.attribute(request.get("attribute"));
        if (called == null && attribute == null) throw new NotDispatched("this attribute is not there any more");
        types = called == null ? new String[] {attribute.type} : ((List<?>) called.get("types")).toArray(new String[0]);
    }

    Outcome run(Limit limit) throws BadArgument, NotDispatched {
        final MBeanServer server = bean.key.server();
        if (!isThere(server) || !server.isRegistered(bean.name)) throw gone();
        ClassLoader loader = loaderOf(server);
        final Object[] values = new ValueMaker(vm, shown).makeAll(request.get("values"), find(types, loader));
        Callable<Object> work = new Callable<Object>() {
            @Override
            public Object call() throws Exception {
                if (operation != null) return server.invoke(bean.name, operation, values, types);
                server.setAttribute(bean.name, new Attribute((String) request.get("attribute"), values[0]));
                return null;
            }
        };
        return outcome(TimedCall.run(method(), loader, work, limit), limit);
    }

    /** A released server may live on for a while. */
    private static boolean isThere(MBeanServer server) {
        for (MBeanServer one : MBeanServerFactory.findMBeanServer(null)) if (one == server) return true;
        return false;
    }

    private NotDispatched gone() {
        return new NotDispatched("the management bean " + bean.name + " is not there any more");
    }

    private ClassLoader loaderOf(MBeanServer server) throws NotDispatched {
        try {
            return server.getClassLoaderFor(bean.name);
        } catch (InstanceNotFoundException e) {
            throw gone();
        }
    }

    private static Class<?>[] find(String[] types, ClassLoader loader) throws BadArgument {
        Class<?>[] found = new Class<?>[types.length];
        for (int at = 0; at < types.length; at++) {
            try {
                found[at] = find(types[at], loader);
            } catch (ClassNotFoundException e) {
                throw new BadArgument("the type " + types[at] + " is not there");
            }
        }
        return found;
    }

    /** `int`, `java.lang.String`, `[Ljava.lang.String;`. */
    private static Class<?> find(String type, ClassLoader loader) throws ClassNotFoundException {
        for (Class<?> each : PRIMITIVES) if (each.getName().equals(type)) return each;
        return Class.forName(type, false, loader);
    }

    /** The types that can be found. */
    static Class<?>[] typesOf(BeanFacts bean, List<?> types) {
        List<Class<?>> found = new ArrayList<Class<?>>();
        try {
            ClassLoader loader = bean.key.server().getClassLoaderFor(bean.name);
            for (Object type : types) found.add(find((String) type, loader));
        } catch (InstanceNotFoundException gone) {
            // There is nothing to describe then.
        } catch (ClassNotFoundException unknown) {
            // The types before it are described.
        }
        return found.toArray(new Class<?>[0]);
    }

    private String method() {
        return operation == null ? "set" + request.get("attribute") : operation;
    }

    private Outcome outcome(TimedCall.Result result, Limit limit) throws NotDispatched {
        Map<String, Object> context = context(result.thread);
        if (!result.finished) {
            String how = result.stillRunning ? " is still running after " : " had not come back after ";
            return new Outcome(false, method() + how + limit.ms + " ms, at " + result.at, null, context);
        }
        if (result.thrown instanceof InstanceNotFoundException) throw gone();
        if (result.thrown != null) {
            Throwable cause = cause(result.thrown);
            return new Outcome(false, method() + " threw " + Thrown.text(vm, cause), Thrown.json(vm, cause), context);
        }
        if (operation == null) return new Outcome(true, method() + " ran", null, context);
        Object plain = Values.plain(result.value);
        Object json = shown.flatten(plain == Values.NOTHING ? result.value : plain, MAX_LEAVES);
        boolean isShort = !(json instanceof Map) && String.valueOf(json).length() <= 200;
        boolean isVoid = Boolean.TRUE.equals(((Map<?, ?>) request.get("operation")).get("isVoid"));
        return new Outcome(true, method() + (isVoid ? " ran" : isShort ? " returned " + json : " returned"), json,
            context);
    }

    /** The server wraps the exception of the bean itself. */
    private static Throwable cause(Throwable thrown) {
        boolean isWrapped = thrown instanceof JMException || thrown instanceof JMRuntimeException;
        return isWrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private Map<String, Object> context(String thread) {
        Map<String, Object> context = new LinkedHashMap<String, Object>();
        StringBuilder signature = new StringBuilder("(");
        for (String type : types) signature.append(signature.length() > 1 ? ", " : "").append(type);
        context.put("class", bean.className);
        context.put("method", method());
        context.put("signature", signature.append(')').toString());
        context.put("instance", bean.name.getCanonicalName());
        context.put("thread", thread);
        return context;
    }
}
