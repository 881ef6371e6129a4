package harness;

import java.util.function.Consumer;

import substrate.agent.read.MemberOrder;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Ownership;
import substrate.agent.read.Shapes;
import substrate.agent.read.Sink;

/** Readings of one object, with a hand in what happens meanwhile. */
final class Readings {
    private Readings() {}

    /** Classes of the harness are the app. */
    static Shapes shapes() {
        return new Shapes(new FakeVm(), type -> type.getClassLoader() == null ? Ownership.JDK : Ownership.APP);
    }

    /** Calls the consumer with each object in the collection, in the middle of the reading. */
    static void each(Object collection, Consumer<Object> consumer) {
        Shapes shapes = shapes();
        new ObjectReader(shapes, new MemberOrder()).read(collection, shapes.of(collection.getClass()), 0, 0, new Sink() {
            @Override
            public boolean value(Object value) {
                consumer.accept(value);
                return true;
            }

            @Override
            public void name(String name, long hash) {}

            @Override
            public void index(int index) {}

            @Override
            public void key(String key) {}

            @Override
            public boolean whole(long value) {
                return true;
            }

            @Override
            public boolean decimal(double value) {
                return true;
            }

            @Override
            public boolean single(float value) {
                return true;
            }

            @Override
            public boolean flag(boolean value) {
                return true;
            }
        });
    }
}
