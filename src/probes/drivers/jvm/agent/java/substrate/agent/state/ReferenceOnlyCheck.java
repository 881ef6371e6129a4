package substrate.agent.state;

import substrate.agent.read.ObjectReader;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.read.Sink;

/** Checks in advance whether an object holds only references to objects that are shown already. */
final class ReferenceOnlyCheck implements Sink {
    private final Shapes shapes;
    private final ObjectReader reader;
    private final SeenObjects seen;
    private boolean isFilled;
    private boolean refers;

    ReferenceOnlyCheck(Shapes shapes, ObjectReader reader, SeenObjects seen) {
        this.shapes = shapes;
        this.reader = reader;
        this.seen = seen;
    }

    boolean seesOnlyReferences(Object target, Shape shape) {
        isFilled = false;
        refers = false;
        reader.read(target, shape, 0, 0, this);
        return refers && !isFilled;
    }

    @Override
    public boolean value(Object value) {
        Shape shape = value == null ? null : shapes.of(value.getClass());
        if (shape != null && shape.kind == Shape.NOTHING) return true;
        if (shape == null || seen.find(value) < 0) return filled();
        refers = true;
        return true;
    }

    private boolean filled() {
        isFilled = true;
        return false;
    }

    @Override
    public void name(String name, long hash) {}

    @Override
    public void index(int index) {}

    @Override
    public void key(String key) {}

    @Override
    public boolean whole(long value) {
        return filled();
    }

    @Override
    public boolean decimal(double value) {
        return filled();
    }

    @Override
    public boolean single(float value) {
        return filled();
    }

    @Override
    public boolean flag(boolean value) {
        return filled();
    }
}
