package substrate.agent.jmx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import substrate.agent.jmx.BeanFacts.OperationFacts;

/** Operations of one name whose parameters tell which one is meant. */
final class BeanOverloads {
    final String name;
    /** The one with the fewest parameters first. */
    final List<OperationFacts> operations = new ArrayList<OperationFacts>();

    private BeanOverloads(OperationFacts first) {
        name = first.name;
        operations.add(first);
    }

    /** In an order that does not depend on that of the bean: it may be another at each start. */
    static void collect(List<OperationFacts> found, List<BeanOverloads> into) {
        List<OperationFacts> sorted = new ArrayList<OperationFacts>(found);
        Collections.sort(sorted, new Comparator<OperationFacts>() {
            @Override
            public int compare(OperationFacts one, OperationFacts other) {
                int byName = one.name.compareTo(other.name);
                int byCount = one.types.length - other.types.length;
                return byName != 0 ? byName : byCount != 0 ? byCount : one.signature().compareTo(other.signature());
            }
        });
        for (OperationFacts operation : sorted) {
            BeanOverloads home = null;
            for (BeanOverloads overloads : into)
                if (overloads.name.equals(operation.name) && overloads.tells(operation)) home = overloads;
            if (home == null) into.add(new BeanOverloads(operation));
            else home.operations.add(operation);
        }
    }

    private boolean tells(OperationFacts other) {
        for (OperationFacts own : operations) if (namesOf(own).equals(namesOf(other))) return false;
        return true;
    }

    private static Set<String> namesOf(OperationFacts operation) {
        Set<String> names = new HashSet<String>();
        Collections.addAll(names, operation.parameters);
        return names;
    }

    /** In how many of them each parameter is. */
    Map<String, Integer> parameters() {
        Map<String, Integer> counts = new LinkedHashMap<String, Integer>();
        for (OperationFacts operation : operations) {
            for (String parameter : operation.parameters) {
                Integer count = counts.get(parameter);
                counts.put(parameter, count == null ? 1 : count + 1);
            }
        }
        return counts;
    }

    boolean isReading() {
        for (OperationFacts operation : operations) if (!operation.isReading) return false;
        return true;
    }

    /** `restock(int) restock(int,java.lang.String)` */
    String signatures() {
        StringBuilder out = new StringBuilder();
        for (OperationFacts operation : operations)
            out.append(out.length() > 0 ? " " : "").append(operation.signature());
        return out.toString();
    }
}
