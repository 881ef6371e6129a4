package substrate.agent.jmx;

import java.util.ArrayList;
import java.util.Collections;
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
import substrate.agent.jmx.BeanFacts.OperationFacts;
import substrate.agent.state.Shown;
import substrate.agent.vm.Vm;

/** One call of an operation, or one attribute set. */
final class BeanCall {
    private static final int MAX_LEAVES = 1000;
    private final Vm vm;
    private final Shown shown;
    private final BeanActions.Call call;
    /** {bean, operation, values}. */
    private final Map<?, ?> told;

    BeanCall(Vm vm, Shown shown, BeanActions.Call call, Map<?, ?> told) {
        this.vm = vm;
        this.shown = shown;
        this.call = call;
        this.told = told;
    }

    Outcome run(Limit limit) throws BadArgument, NotDispatched {
        final BeanFacts bean = bean();
        final MBeanServer server = bean.key.server();
        if (!isThere(server) || !server.isRegistered(bean.name)) throw gone(bean);
        ClassLoader loader = loaderOf(server, bean);
        final OperationFacts operation = operation();
        String[] types = operation == null ? new String[] {call.attribute.type} : operation.types;
        final Object[] values = new ValueMaker(vm, shown).makeAll(told.get("values"), find(types, loader));
        Callable<Object> work = new Callable<Object>() {
            @Override
            public Object call() throws Exception {
                if (operation != null) return server.invoke(bean.name, operation.name, values, operation.types);
                server.setAttribute(bean.name, new Attribute(call.attribute.name, values[0]));
                return null;
            }
        };
        return outcome(bean, operation, TimedCall.run(method(), loader, work, limit), limit);
    }

    private BeanFacts bean() throws BadArgument {
        BeanFacts single = call.beans.get("");
        if (single != null) return single;
        Object wanted = told.get(BeanActions.BEAN);
        BeanFacts bean = wanted instanceof String ? call.beans.get(wanted) : null;
        if (bean == null && wanted instanceof String) {
            for (BeanFacts one : call.beans.values()) if (one.name.getCanonicalName().equals(wanted)) return one;
        }
        if (bean == null)
            throw new BadArgument(BeanActions.BEAN + ": there is no such bean among " + call.beans.size());
        return bean;
    }

    /** One that was released may live on for a while. */
    private static boolean isThere(MBeanServer server) {
        for (MBeanServer one : MBeanServerFactory.findMBeanServer(null)) if (one == server) return true;
        return false;
    }

    private NotDispatched gone(BeanFacts bean) {
        return new NotDispatched("the management bean " + bean.name + " is not there any more");
    }

    private ClassLoader loaderOf(MBeanServer server, BeanFacts bean) throws NotDispatched {
        try {
            return server.getClassLoaderFor(bean.name);
        } catch (InstanceNotFoundException e) {
            throw gone(bean);
        }
    }

    /** Null: the attribute is set. */
    private OperationFacts operation() throws NotDispatched {
        if (call.operation == null) return null;
        int index = ((Long) told.get("operation")).intValue();
        if (index < call.operation.operations.size()) return call.operation.operations.get(index);
        throw new NotDispatched("this operation is not there any more");
    }

    private static Class<?>[] find(String[] types, ClassLoader loader) throws BadArgument {
        Class<?>[] found = new Class<?>[types.length];
        for (int at = 0; at < types.length; at++) {
            try {
                found[at] = TypeNames.find(types[at], loader);
            } catch (ClassNotFoundException e) {
                throw new BadArgument("the type " + types[at] + " is not there");
            }
        }
        return found;
    }

    /** Of the first bean: all of them have the same operations. */
    static Class<?>[] typesOf(BeanActions.Call call) {
        BeanFacts bean = call.beans.values().iterator().next();
        List<Class<?>> found = new ArrayList<Class<?>>();
        try {
            ClassLoader loader = bean.key.server().getClassLoaderFor(bean.name);
            if (call.operation == null) Collections.addAll(found, find(new String[] {call.attribute.type}, loader));
            else for (OperationFacts each : call.operation.operations) Collections.addAll(found, find(each.types, loader));
        } catch (InstanceNotFoundException gone) {
            // Then there is nothing to tell.
        } catch (BadArgument unknown) {
            // Those before it are told.
        }
        return found.toArray(new Class<?>[0]);
    }

    private String method() {
        return call.operation == null ? "set" + call.attribute.name : call.operation.name;
    }

    private Outcome outcome(BeanFacts bean, OperationFacts operation, TimedCall.Result result, Limit limit)
        throws NotDispatched {
        Map<String, Object> context = context(bean, operation, result.thread);
        if (!result.finished) {
            String how = result.stillRunning ? " is still running after " : " had not come back after ";
            return new Outcome(false, method() + how + limit.ms + " ms, at " + result.at, null, context);
        }
        if (result.thrown instanceof InstanceNotFoundException) throw gone(bean);
        if (result.thrown != null) {
            Throwable cause = cause(result.thrown);
            return new Outcome(false, method() + " threw " + Thrown.text(vm, cause), Thrown.json(vm, cause), context);
        }
        if (operation == null) return new Outcome(true, method() + " ran", null, context);
        Object plain = Values.plain(result.value);
        Object json = shown.flatten(plain == Values.NOTHING ? result.value : plain, MAX_LEAVES);
        boolean isShort = !(json instanceof Map) && String.valueOf(json).length() <= 200;
        boolean isVoid = TypeNames.returned(operation.returns).equals("void");
        return new Outcome(true, method() + (isVoid ? " ran" : isShort ? " returned " + json : " returned"), json,
            context);
    }

    /** What the bean itself threw comes wrapped in what the server makes of it. */
    private static Throwable cause(Throwable thrown) {
        boolean isWrapped = thrown instanceof JMException || thrown instanceof JMRuntimeException;
        return isWrapped && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private Map<String, Object> context(BeanFacts bean, OperationFacts operation, String thread) {
        Map<String, Object> context = new LinkedHashMap<String, Object>();
        StringBuilder types = new StringBuilder("(");
        if (operation == null) types.append(call.attribute.type);
        else for (String type : operation.types) types.append(types.length() > 1 ? ", " : "").append(type);
        context.put("class", bean.className);
        context.put("method", method());
        context.put("signature", types.append(')').toString());
        context.put("instance", bean.name.getCanonicalName());
        context.put("thread", thread);
        return context;
    }
}
