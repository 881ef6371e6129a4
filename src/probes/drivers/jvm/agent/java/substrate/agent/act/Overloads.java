package substrate.agent.act;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Chooses among methods of one name by what was given: first by the names of the arguments, then by their values. */
final class Overloads {
    private final ClassMethods methods;
    private final Coerce coerce;
    private final Class<?> type;
    private final Generics generics;
    private final ShapePath shape;
    private final Map<String, Object> args;

    private Method best;
    private Plan[] values;
    private int cost = Integer.MAX_VALUE;
    private boolean isAmbiguous;

    Overloads(ClassMethods methods, Coerce coerce, Class<?> type, ShapePath shape, Map<String, Object> args) {
        this.methods = methods;
        this.coerce = coerce;
        this.type = type;
        this.shape = shape;
        this.args = args;
        generics = Generics.of(type);
    }

    void choose(List<Signature> signatures) throws BadArgument, NotDispatched {
        Set<String> given = new LinkedHashSet<String>();
        for (String name : args.keySet()) if (!shape.asksFor(name)) given.add(name);
        int candidates = 0;
        BadArgument refusal = null;
        for (Signature signature : signatures) {
            if (!signature.takes(given, shape)) continue;
            candidates++;
            try {
                consider(signature);
            } catch (BadArgument unfit) {
                refusal = unfit;
            }
        }
        if (best != null && !isAmbiguous) return;
        if (candidates == 1 && refusal != null) throw refusal;
        if (best != null) throw new BadArgument("these values fit several: " + expected(signatures));
        if (candidates > 0) throw new BadArgument("these values fit none of " + expected(signatures));
        throw new BadArgument("given " + (given.isEmpty() ? "nothing" : TypeWords.joined(given)) + "; expected "
            + expected(signatures));
    }

    Method method() {
        return best;
    }

    Plan[] values() {
        return values;
    }

    private void consider(Signature signature) throws BadArgument, NotDispatched {
        Method method = methods.find(type, signature);
        if (method == null) throw new NotDispatched("there is no method " + signature.method + " any more");
        Type[] types = ParameterList.typesOf(method);
        Plan[] plans = new Plan[types.length];
        int sum = 0;
        for (int at = 0; at < types.length; at++) {
            String name = shape.nameFor(signature.parameters.get(at).name);
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

    private static String expected(List<Signature> signatures) {
        StringBuilder text = new StringBuilder();
        for (Signature signature : signatures) {
            if (text.length() > 1500) return text.append(", …").toString();
            text.append(text.length() == 0 ? "" : ", ").append(signature.java);
        }
        return text.toString();
    }
}
