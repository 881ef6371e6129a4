package substrate.agent.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.read.MemberOrder;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Record;
import substrate.agent.read.Shapes;
import substrate.agent.vm.Pace;

/** A value that a method returned, as a scalar or as dot-notation keys. */
final class Flattening implements Leaves {
    private final Map<String, Object> map = new LinkedHashMap<String, Object>();
    private final Walk walk;
    private boolean isScalar;
    private Object scalar;

    private Flattening(Shapes shapes, Pace pace) {
        walk = new Walk(shapes, new ObjectReader(shapes, new MemberOrder()), pace, new Leads());
    }

    /** `roots`: the roots of the state; the value itself is shown in full, even if it is one of them. */
    static Object flatten(Object value, List<RootCandidate> roots, int maxLeaves, Shapes shapes, Pace pace) {
        Flattening flat = new Flattening(shapes, pace);
        RootCandidate root = RootCandidate.alone(new Record().put("", value));
        List<RootCandidate> others = new ArrayList<RootCandidate>();
        for (RootCandidate known : roots) if (!known.isStatic && known.target() != value) others.add(known);
        flat.walk.run(root, others, maxLeaves, flat);
        return flat.isScalar ? flat.scalar : flat.map;
    }

    @Override
    public boolean put(long hash, byte kind, long bits, Object text) {
        Object value = Leaf.value(kind, bits, kind == Leaf.REFERENCE ? walk.child().referencePath() : text);
        StringBuilder path = new StringBuilder();
        walk.child().parentPath(path);
        walk.child().segment(path);
        if (path.length() == 0) {
            isScalar = true;
            scalar = value;
            return true;
        }
        if (map.containsKey(path.toString())) return false;
        map.put(path.toString(), value);
        return true;
    }
}
