package substrate.agent.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.read.MemberOrder;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Record;
import substrate.agent.read.Shapes;

/** A value that a method returned, as a scalar or as dot-notation keys. */
final class Flattening implements Leaves {
    private final Map<String, Object> map = new LinkedHashMap<String, Object>();
    private final Walk walk;
    private boolean isScalar;
    private Object scalar;

    private Flattening(Shapes shapes) {
        walk = new Walk(shapes, new ObjectReader(shapes, new MemberOrder()));
    }

    static Object flatten(Object value, int maxLeaves, Shapes shapes) {
        Flattening flat = new Flattening(shapes);
        Root root = new Root("", "a returned value", null, new Record().put("", value));
        List<Found> roots = Collections.singletonList(Found.made(root));
        flat.walk.run(roots, maxLeaves, flat);
        return flat.isScalar ? flat.scalar : flat.map;
    }

    @Override
    public boolean put(long hash, byte kind, long bits, Object text) {
        Object value = Leaf.value(kind, bits, kind == Leaf.REFERENCE ? walk.child().referenceText() : text);
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
