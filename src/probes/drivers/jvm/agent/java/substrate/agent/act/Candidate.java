package substrate.agent.act;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import substrate.agent.state.Holder;

/** All overloads of one name at one shape: an action, before it is known whether there is room for it. */
final class Candidate {
    private static final int MAX_DESCRIPTION = 1000;
    private static final int MINOR = 1000000;
    /** What lies deeper is how something works, not what it is for. */
    private static final int MAX_DEPTH = 4;
    private static final int STATIC = 2;
    private static final int MUCH = 100;

    final Holder holder;
    final String method;
    /** Of each class at the shape; the same overload of several classes once for each. */
    final List<Class<?>> types = new ArrayList<Class<?>>();
    final List<Signature> signatures = new ArrayList<Signature>();

    Candidate(Holder holder, String method) {
        this.holder = holder;
        this.method = method;
    }

    void add(Class<?> type, Signature signature) {
        types.add(type);
        signatures.add(signature);
    }

    /** The lower the more useful: verbs of what is near first, then setters, reads, at last what is worth little. */
    int rank() {
        boolean isRead = true;
        boolean isSetter = true;
        for (Signature signature : signatures) {
            isRead &= signature.isReadByName();
            isSetter &= signature.isSetterByName();
        }
        return near(holder) + (isRead ? 2 : isSetter ? 1 : 0) + (isMinor() ? MINOR : 0);
    }

    /** The order in which places are worth being looked at: objects before helpers without one. */
    static int distance(Holder holder) {
        return near(holder) + (holder.isStatic ? STATIC : 0) + (isMinorPlace(holder) ? MINOR : 0);
    }

    /** An element is as near as the list or map that it is in. */
    private static int near(Holder holder) {
        int depth = holder.depth;
        for (int at = holder.shape.indexOf("*"); at > 0; at = holder.shape.indexOf("*", at + 1)) {
            char before = holder.shape.charAt(at - 1);
            if (before == '[' || before == '{') depth--;
        }
        // What holds much is what a program is about; many others are helpers.
        return Math.max(1, holder.weight >= MUCH && !holder.isStatic ? depth - 1 : depth);
    }

    static boolean isMinorPlace(Holder holder) {
        return holder.depth > MAX_DEPTH || ShapePath.isConstant(holder.shape);
    }

    /** Worth showing only where there is little else: by itself, or because of where it is. */
    boolean isMinor() {
        if (isMinorPlace(holder)) return true;
        for (Signature signature : signatures) if (!signature.isMinor) return false;
        return true;
    }

    boolean isVoid() {
        return returns().equals("void");
    }

    /** Stands for it as long as the same classes are met there. */
    String key() {
        StringBuilder key = new StringBuilder(holder.shape);
        for (int at = 0; at < signatures.size(); at++) {
            key.append(' ').append(types.get(at).getName()).append('#').append(signatures.get(at).method);
            key.append(signatures.get(at).descriptor);
        }
        return key.toString();
    }

    /** `effect`: null where it is not known yet. */
    ActionInfo info(String effect) {
        ShapePath shape = new ShapePath(holder.shape);
        List<Parameter> parameters = new ArrayList<Parameter>(shape.parameters());
        parameters.addAll(ownParameters(shape));
        String binding = MethodActions.SCHEME + holder.shape + '#' + method;
        String known = effect == null ? "unjudged" : effect;
        return new ActionInfo(binding, shape.name(method), parameters, returns(), known, description());
    }

    /** Those of all overloads by name; required is what all require. */
    private java.util.Collection<Parameter> ownParameters(ShapePath shape) {
        Map<String, Parameter> all = new LinkedHashMap<String, Parameter>();
        Map<String, Integer> counts = new LinkedHashMap<String, Integer>();
        for (Signature signature : signatures) {
            for (Parameter parameter : signature.parameters) {
                String name = shape.nameFor(parameter.name);
                Parameter known = all.get(name);
                all.put(name, known == null ? renamed(parameter, name) : union(known, parameter));
                counts.put(name, known == null ? 1 : counts.get(name) + 1);
            }
        }
        for (Map.Entry<String, Integer> count : counts.entrySet()) {
            Parameter known = all.get(count.getKey());
            if (count.getValue() < signatures.size() && known.required) {
                all.put(known.name, new Parameter(known.name, known.type, false, known.description));
            }
        }
        return all.values();
    }

    private static Parameter renamed(Parameter parameter, String name) {
        return new Parameter(name, parameter.type, parameter.required, parameter.description);
    }

    private static Parameter union(Parameter one, Parameter other) {
        boolean isSameType = one.type != null && one.type.equals(other.type);
        String told = one.description;
        boolean isSame = told == null ? other.description == null : told.equals(other.description);
        String type = isSameType ? one.type : null;
        return new Parameter(one.name, type, one.required && other.required, isSame ? told : null);
    }

    private String returns() {
        String returns = signatures.get(0).returns;
        for (Signature signature : signatures) if (!signature.returns.equals(returns)) return "unknown";
        return returns;
    }

    /** The worst of all overloads. */
    String effect(Effects effects) {
        String worst = "none";
        for (int at = 0; at < signatures.size(); at++) {
            Signature signature = signatures.get(at);
            String effect = effects.of(types.get(at), signature.method, signature.descriptor);
            if (badness(effect) > badness(worst)) worst = effect;
        }
        return worst;
    }

    private static int badness(String effect) {
        return effect.equals("none") ? 0 : effect.equals("setter") ? 1 : effect.equals("own-state") ? 2 : 3;
    }

    private String description() {
        Class<?> type = types.get(0);
        String inside = TypeWords.packageOf(type);
        StringBuilder text = new StringBuilder(holder.isStatic ? "Static method " : "Method ").append(method);
        text.append(" of ").append(TypeWords.simpleName(type));
        if (!inside.isEmpty()) text.append(" (").append(inside).append(')');
        text.append(" on ").append(holder.shape).append(": ");
        List<String> spoken = new ArrayList<String>();
        for (Signature signature : signatures) if (!spoken.contains(signature.java)) spoken.add(signature.java);
        for (int at = 0; at < spoken.size(); at++) text.append(at == 0 ? "" : "; ").append(spoken.get(at));
        if (text.length() > MAX_DESCRIPTION) text.replace(MAX_DESCRIPTION, text.length(), "…");
        return text.append('.').toString();
    }
}
