package substrate.agent.act;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Chooses among methods of one name by what was given: first by the names of the arguments, then by their values. */
final class Overloads {
    private static final int MAX_EXPECTED = 1500;

    private final ClassMethods methods;
    private final Coerce coerce;
    private final Class<?> type;
    private final Generics generics;
    private final Map<String, Object> args;
    private final List<CallableMethod> callables = new ArrayList<CallableMethod>();
    /** What the arguments of each are called. */
    private final List<List<String>> names = new ArrayList<List<String>>();

    private Method best;
    private Plan[] values;
    private int cost = Integer.MAX_VALUE;
    private boolean isAmbiguous;

    Overloads(ClassMethods methods, Coerce coerce, Class<?> type, Map<String, Object> args) {
        this.methods = methods;
        this.coerce = coerce;
        this.type = type;
        this.args = args;
        generics = Generics.of(type);
    }

    void add(CallableMethod callable, List<String> called) {
        if (called.size() != callable.isOptional.length) return;
        callables.add(callable);
        names.add(called);
    }

    boolean isEmpty() {
        return callables.isEmpty();
    }

    void choose() throws BadArgument, NotDispatched {
        int candidates = 0;
        BadArgument refusal = null;
        for (int at = 0; at < callables.size(); at++) {
            if (!takes(callables.get(at), names.get(at))) continue;
            candidates++;
            try {
                consider(callables.get(at), names.get(at));
            } catch (BadArgument unfit) {
                refusal = unfit;
            }
        }
        if (best != null && !isAmbiguous) return;
        if (candidates == 1 && refusal != null) throw refusal;
        if (best != null) throw new BadArgument("these values fit several: " + expected());
        if (candidates > 0) throw new BadArgument("these values fit none of " + expected());
        String given = args.isEmpty() ? "nothing" : TypeWords.joined(args.keySet());
        throw new BadArgument("given " + given + "; expected " + expected());
    }

    /** Whether these and no others could be its arguments. */
    private boolean takes(CallableMethod callable, List<String> called) {
        int given = 0;
        for (int at = 0; at < called.size(); at++) {
            if (args.containsKey(called.get(at))) given++;
            else if (!callable.isOptional[at]) return false;
        }
        return given == args.size();
    }

    Method method() {
        return best;
    }

    Plan[] values() {
        return values;
    }

    private void consider(CallableMethod callable, List<String> called) throws BadArgument, NotDispatched {
        Method method = methods.find(type, callable);
        if (method == null) throw new NotDispatched("there is no method " + callable.name + " any more");
        Type[] types = ClassMethods.typesOf(method);
        Plan[] plans = new Plan[types.length];
        int sum = 0;
        for (int at = 0; at < types.length; at++) {
            String name = called.get(at);
            boolean isLeftOut = !args.containsKey(name);
            Object value = args.get(name);
            // What a caller in Java would have left out arrives as an empty array.
            if (isLeftOut && method.isVarArgs() && at == types.length - 1) value = new java.util.ArrayList<Object>();
            plans[at] = coerce.plan(value, generics, types[at], name);
            sum += plans[at].cost + (isLeftOut ? 1 : 0);
        }
        if (sum > cost || (sum == cost && isNarrower(best, method))) return;
        isAmbiguous = sum == cost && !isNarrower(method, best);
        best = method;
        values = plans;
        cost = sum;
    }

    /** Every parameter of the one would do for the other: what a compiler would choose. */
    private static boolean isNarrower(Method one, Method other) {
        Class<?>[] own = one.getParameterTypes();
        Class<?>[] others = other.getParameterTypes();
        if (own.length != others.length) return own.length < others.length;
        for (int at = 0; at < own.length; at++) if (!others[at].isAssignableFrom(own[at])) return false;
        return true;
    }

    private String expected() {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < callables.size(); at++) {
            Method method = methods.find(type, callables.get(at));
            if (method == null) continue;
            if (text.length() > MAX_EXPECTED) return text.append(", …").toString();
            text.append(text.length() == 0 ? "" : ", ").append(method.getName()).append('(');
            Type[] types = ClassMethods.typesOf(method);
            for (int each = 0; each < types.length; each++) {
                text.append(each == 0 ? "" : ", ").append(TypeWords.java(generics, types[each]));
                text.append(' ').append(names.get(at).get(each));
            }
            text.append(") -> ").append(TypeWords.java(generics, ClassMethods.resultOf(method)));
        }
        return text.toString();
    }
}
