package substrate.agent.state;

import java.util.List;

import substrate.agent.read.Hash;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Sink;

/** Follows a path down from an object, child by child. */
final class PathFinder implements Sink {
    private final Shapes shapes;
    private final ObjectReader reader;
    private Object wanted;
    private boolean isHere;
    private Object found;

    PathFinder(Shapes shapes, ObjectReader reader) {
        this.shapes = shapes;
        this.reader = reader;
    }

    /** `segments` from the second on lead down from the root; null if there is nothing, or no object. */
    Object find(RootCandidate root, List<Object> segments) {
        Object target = root.target();
        if (target == null) return null;
        if (segments.size() == 1 && root.isStatic) return target;
        Shape shape = root.isStatic ? shapes.ofStatics((Class<?>) target) : shapes.of(target.getClass());
        long place = Hash.join(Hash.START, Hash.of(root.id));
        for (int at = 0; ; at++) {
            if (at > 0) {
                wanted = segments.get(at);
                found = null;
                reader.read(target, shape, place, 0, this);
                target = found;
                found = null;
                if (target == null) return null;
                long segment = wanted instanceof Integer ? Hash.of((Integer) wanted) : Hash.of((String) wanted);
                place = Hash.join(place, segment);
                shape = shapes.of(target.getClass());
            }
            for (int hops = 0; shape.kind == Shape.WRAPPER && hops < 8; hops++) {
                Object inner = shape.unwrap(target);
                if (inner == null) return null;
                shape = inner == target ? shape.asItself() : shapes.of(inner.getClass());
                target = inner;
            }
            if (shape.kind != Shape.PARTS) return null;
            if (at + 1 == segments.size()) return target;
        }
    }

    @Override
    public void name(String name, long hash) {
        isHere = name.equals(wanted);
    }

    @Override
    public void index(int index) {
        isHere = wanted instanceof Integer && (Integer) wanted == index;
    }

    @Override
    public void key(String key) {
        isHere = key.equals(wanted);
    }

    @Override
    public boolean value(Object value) {
        if (isHere) found = value;
        return !isHere;
    }

    @Override
    public boolean whole(long value) {
        return !isHere;
    }

    @Override
    public boolean decimal(double value) {
        return !isHere;
    }

    @Override
    public boolean single(float value) {
        return !isHere;
    }

    @Override
    public boolean flag(boolean value) {
        return !isHere;
    }
}
