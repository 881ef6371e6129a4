package substrate.agent.jmx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import substrate.agent.act.ActionInfo;
import substrate.agent.act.Parameter;
import substrate.agent.jmx.BeanFacts.AttributeFacts;
import substrate.agent.jmx.BeanFacts.OperationFacts;

/** Operations and attributes that can be set, as actions. What many beans of one type have is one action. */
final class BeanActions {
    static final String SCHEME = "jmx:";
    static final String BEAN = "bean";
    /** More beans of one type become one action that says which. */
    private static final int MAX_SINGLE = 3;
    private static final int MAX_ACTIONS = 400;
    private static final int MAX_NAMES = 30;

    private final List<BeanFacts> beans;
    /** Operations first, then attributes. */
    final List<ActionInfo> actions = new ArrayList<ActionInfo>();
    private final List<ActionInfo> setters = new ArrayList<ActionInfo>();
    final Map<String, Call> calls = new HashMap<String, Call>();
    private final Set<String> taken = new HashSet<String>();

    /** What an action calls. */
    static final class Call {
        /** By what tells it from others of its type; a single one is found by the empty text. */
        final Map<String, BeanFacts> beans;
        /** Null: the attribute is set. */
        final BeanOverloads operation;
        final AttributeFacts attribute;

        Call(Map<String, BeanFacts> beans, BeanOverloads operation, AttributeFacts attribute) {
            this.beans = beans;
            this.operation = operation;
            this.attribute = attribute;
        }
    }

    BeanActions(List<BeanFacts> beans) {
        this.beans = beans;
        Map<String, List<BeanFacts>> byType = new LinkedHashMap<String, List<BeanFacts>>();
        for (BeanFacts bean : beans) {
            String type = bean.segments[0] + " " + (bean.segments.length > 1 ? bean.segments[1] : "");
            List<BeanFacts> alike = byType.get(type);
            if (alike == null) byType.put(type, alike = new ArrayList<BeanFacts>());
            alike.add(bean);
        }
        for (List<BeanFacts> alike : byType.values()) {
            if (alike.size() > MAX_SINGLE) addAlike(alike);
            else for (BeanFacts bean : alike) addSingle(bean);
        }
        actions.addAll(setters.subList(0, Math.min(setters.size(), MAX_ACTIONS - actions.size())));
    }

    /** True: those of these very beans. */
    boolean areOf(List<BeanFacts> others) {
        if (others.size() != beans.size()) return false;
        for (int at = 0; at < beans.size(); at++) if (beans.get(at) != others.get(at)) return false;
        return true;
    }

    private void addSingle(BeanFacts bean) {
        Map<String, BeanFacts> one = new HashMap<String, BeanFacts>();
        one.put("", bean);
        for (BeanOverloads operation : bean.operations) add(one, bean, bean.segments.length, operation, null);
        for (AttributeFacts attribute : bean.attributes) {
            if (attribute.isWritable) add(one, bean, bean.segments.length, null, attribute);
        }
    }

    private void addAlike(List<BeanFacts> alike) {
        Map<String, Map<String, BeanFacts>> having = new LinkedHashMap<String, Map<String, BeanFacts>>();
        Map<String, Object> first = new HashMap<String, Object>();
        for (BeanFacts bean : alike) {
            for (BeanOverloads operation : bean.operations) note(having, first, operation.signatures(), operation, bean);
            for (AttributeFacts attribute : bean.attributes) {
                if (attribute.isWritable) note(having, first, attribute.name + " " + attribute.type, attribute, bean);
            }
        }
        for (Map.Entry<String, Map<String, BeanFacts>> one : having.entrySet()) {
            Object what = first.get(one.getKey());
            BeanFacts any = one.getValue().values().iterator().next();
            boolean isOperation = what instanceof BeanOverloads;
            add(one.getValue(), any, Math.min(2, any.segments.length),
                isOperation ? (BeanOverloads) what : null, isOperation ? null : (AttributeFacts) what);
        }
    }

    private static void note(Map<String, Map<String, BeanFacts>> having, Map<String, Object> first, String key,
        Object what, BeanFacts bean) {
        Map<String, BeanFacts> beans = having.get(key);
        if (beans == null) {
            having.put(key, beans = new LinkedHashMap<String, BeanFacts>());
            first.put(key, what);
        }
        String name = bean.ownName();
        beans.put(beans.containsKey(name) || name.isEmpty() ? bean.name.getCanonicalName() : name, bean);
    }

    private void add(Map<String, BeanFacts> beans, BeanFacts any, int segments, BeanOverloads operation,
        AttributeFacts attribute) {
        List<ActionInfo> home = operation == null ? setters : actions;
        if (home.size() == MAX_ACTIONS) return;
        List<Parameter> parameters = new ArrayList<Parameter>();
        if (!beans.containsKey("")) parameters.add(new Parameter(BEAN, "string", true, namesOf(beans)));
        if (operation != null) {
            for (OperationFacts one : operation.operations)
                for (String type : one.types) if (!TypeNames.canBeMade(type)) return;
            addParameters(parameters, operation);
        } else {
            parameters.add(new Parameter("value", TypeNames.json(attribute.type), true, null));
        }
        String last = operation == null ? "set_" + attribute.name : operation.name;
        String name = BeanTree.path(any.segments, segments, last);
        String free = name;
        for (int number = 2; !taken.add(free); number++) free = name + "_" + number;
        String returns = operation == null ? "void" : TypeNames.returned(operation.operations.get(0).returns);
        String effect = operation == null ? "setter" : operation.isReading() ? "none" : "unknown";
        calls.put(SCHEME + free, new Call(beans, operation, attribute));
        home.add(new ActionInfo(SCHEME + free, free, parameters, returns, effect,
            describe(any, beans.size(), operation, attribute), operationsOf(operation, attribute)));
    }

    private static List<String[][]> operationsOf(BeanOverloads overloads, AttributeFacts attribute) {
        List<String[][]> operations = new ArrayList<String[][]>();
        if (overloads == null) {
            operations.add(new String[][] {{"value"}, {TypeNames.text(attribute.type)}});
            return operations;
        }
        for (OperationFacts each : overloads.operations) {
            String[] types = new String[each.types.length];
            for (int at = 0; at < types.length; at++) types[at] = TypeNames.text(each.types[at]);
            operations.add(new String[][] {each.parameters, types});
        }
        return operations;
    }

    /** One that not all overloads have may be left out. */
    private static void addParameters(List<Parameter> parameters, BeanOverloads overloads) {
        Set<String> added = new HashSet<String>();
        Map<String, Integer> counts = overloads.parameters();
        for (OperationFacts operation : overloads.operations) {
            for (int at = 0; at < operation.types.length; at++) {
                String name = operation.parameters[at];
                if (!added.add(name)) continue;
                boolean isRequired = counts.get(name) == overloads.operations.size();
                parameters.add(new Parameter(name, TypeNames.json(operation.types[at]), isRequired,
                    said(operation.descriptions[at], name)));
            }
        }
    }

    private static String namesOf(Map<String, BeanFacts> beans) {
        if (beans.size() > MAX_NAMES) return "the name of one of " + beans.size() + " beans, as the state has it";
        StringBuilder out = new StringBuilder("one of: ");
        for (String name : beans.keySet()) {
            if (out.length() + name.length() > 900) return out.append('…').toString();
            out.append(out.length() > 8 ? " | " : "").append(name);
        }
        return out.toString();
    }

    private static String describe(BeanFacts any, int count, BeanOverloads operation, AttributeFacts attribute) {
        boolean isSetter = operation == null;
        String own = isSetter
            ? said(attribute.description, attribute.name)
            : said(operation.operations.get(0).description, operation.name);
        String what = isSetter ? "Sets the attribute " + attribute.name : "Calls the operation " + operation.name;
        String of = count > 1 ? "of one of " + count + " management beans" : "of the management bean " + any.name;
        String text = what + " " + of + (own == null ? "" : ": " + own);
        return text.length() > 1000 ? text.substring(0, 1000) + "…" : text;
    }

    /** Null: the description only repeats the name, or is what the JDK writes where there is none. */
    private static String said(String description, String name) {
        if (description == null || description.equals(name) || TypeNames.isGeneric(description.trim())) return null;
        if (description.startsWith("Attribute exposed for management")
            || description.startsWith("Operation exposed for management"))
            return null;
        return description.length() > 300 ? description.substring(0, 300) + "…" : description;
    }
}
