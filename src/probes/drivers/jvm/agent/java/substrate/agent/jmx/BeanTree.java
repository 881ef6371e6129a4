package substrate.agent.jmx;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import substrate.agent.jmx.BeanFacts.AttributeFacts;
import substrate.agent.read.Record;

/** Beans in a tree by their names: domain, type, name. */
final class BeanTree {
    private final Map<String, BeanTree> children = new LinkedHashMap<String, BeanTree>();
    private BeanFacts bean;

    static Record record(List<BeanFacts> beans) {
        BeanTree root = new BeanTree();
        for (BeanFacts bean : beans) root.add(bean);
        return root.toRecord();
    }

    private void add(BeanFacts added) {
        BeanTree at = this;
        for (String segment : added.segments) at = at.child(segment);
        // Two names may differ only in their keys.
        for (int number = 2; at.bean != null; number++) at = at.child(String.valueOf(number));
        at.bean = added;
    }

    private BeanTree child(String segment) {
        BeanTree child = children.get(segment);
        if (child == null) children.put(segment, child = new BeanTree());
        return child;
    }

    private Record toRecord() {
        Record record = new Record();
        Set<String> taken = new HashSet<String>(children.keySet());
        if (bean != null) {
            for (AttributeFacts attribute : bean.attributes) {
                Object value = attribute.value();
                if (value == Values.NOTHING) continue;
                String name = attribute.name;
                while (!taken.add(name)) name += "_";
                record.put(name, value);
            }
        }
        for (Map.Entry<String, BeanTree> child : children.entrySet()) {
            Record inner = child.getValue().toRecord();
            if (inner.size() > 0) record.put(child.getKey(), inner);
        }
        return record;
    }
}
