package substrate.agent.read;

/** Maps of java.util. */
final class Maps {
    private Maps() {}

    /** Chains of nodes in the buckets of a table; nodes of tree bins are chained as well. */
    static final class Chained extends Container {
        private final Slot table;
        private final Slot size;
        private final Slot key;
        private final Slot value;
        private final Slot next;

        Chained(Slot table, Slot size, Slot key, Slot value, Slot next) {
            super(MAP);
            this.table = table;
            this.size = size;
            this.key = key;
            this.value = value;
            this.next = next;
        }

        @Override
        int size(Object target) {
            return Math.max(0, size.getInt(target));
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] buckets = (Object[]) table.get(target);
            if (buckets == null) return;
            long steps = 2L * size(target) + 1024;
            for (Object bucket : buckets)
                for (Object node = bucket; node != null && steps > 0; node = next.get(node), steps--)
                    if (!taker.take(key.get(node), value.get(node))) return;
        }
    }

    /** Nodes in a list of their own (LinkedHashMap). */
    static final class InOrder extends Container {
        private final Slot head;
        private final Slot size;
        private final Slot key;
        private final Slot value;
        private final Slot after;

        InOrder(Slot head, Slot size, Slot key, Slot value, Slot after) {
            super(MAP);
            this.head = head;
            this.size = size;
            this.key = key;
            this.value = value;
            this.after = after;
        }

        @Override
        int size(Object target) {
            return Math.max(0, size.getInt(target));
        }

        @Override
        void each(Object target, Taker taker) {
            long steps = 2L * size(target) + 1024;
            for (Object node = head.get(target); node != null && steps > 0; node = after.get(node), steps--)
                if (!taker.take(key.get(node), value.get(node))) return;
        }

        @Override
        boolean isOrdered(Object target) {
            return true;
        }
    }

    static final class Tree extends Container {
        private final Slot root;
        private final Slot size;
        private final Slot key;
        private final Slot value;
        private final Slot left;
        private final Slot right;
        private final Slot parent;

        Tree(Slot root, Slot size, Slot key, Slot value, Slot left, Slot right, Slot parent) {
            super(MAP);
            this.root = root;
            this.size = size;
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            this.parent = parent;
        }

        @Override
        int size(Object target) {
            return Math.max(0, size.getInt(target));
        }

        @Override
        void each(Object target, Taker taker) {
            long steps = 2L * size(target) + 1024;
            Object node = leftmost(root.get(target));
            while (node != null && steps-- > 0) {
                if (!taker.take(key.get(node), value.get(node))) return;
                Object higher = right.get(node);
                node = higher != null ? leftmost(higher) : firstFromLeft(node);
            }
        }

        @Override
        boolean isOrdered(Object target) {
            return true;
        }

        private Object leftmost(Object from) {
            Object node = from;
            for (int depth = 0; node != null && depth < 128; depth++) {
                Object lower = left.get(node);
                if (lower == null) return node;
                node = lower;
            }
            return node;
        }

        /** The nearest node above that has this one on its left. */
        private Object firstFromLeft(Object from) {
            Object node = from;
            Object above = parent.get(node);
            for (int depth = 0; above != null && right.get(above) == node; depth++) {
                if (depth == 128) return null;
                node = above;
                above = parent.get(node);
            }
            return above;
        }
    }

    /** Keys in one array, values in another (EnumMap). */
    static final class Parallel extends Container {
        private final Slot keys;
        private final Slot values;

        Parallel(Slot keys, Slot values) {
            super(MAP);
            this.keys = keys;
            this.values = values;
        }

        @Override
        int size(Object target) {
            Object[] held = (Object[]) values.get(target);
            int size = 0;
            if (held != null) for (Object value : held) if (value != null) size++;
            return size;
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] names = (Object[]) keys.get(target);
            Object[] held = (Object[]) values.get(target);
            if (names == null || held == null) return;
            for (int at = 0; at < held.length && at < names.length; at++)
                if (held[at] != null && !taker.take(names[at], unmasked(held[at]))) return;
        }

        @Override
        boolean isOrdered(Object target) {
            return true;
        }

        /** EnumMap has an object of its own for null. */
        private static Object unmasked(Object value) {
            return value.getClass().getName().startsWith("java.util.EnumMap$") ? null : value;
        }
    }

    /** Key, value, key, value … in one array (IdentityHashMap, Map.of). */
    static final class Alternating extends Container {
        private final Slot table;

        Alternating(Slot table) {
            super(MAP);
            this.table = table;
        }

        @Override
        int size(Object target) {
            Object[] pairs = (Object[]) table.get(target);
            int size = 0;
            if (pairs != null) for (int at = 0; at + 1 < pairs.length; at += 2) if (pairs[at] != null) size++;
            return size;
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] pairs = (Object[]) table.get(target);
            if (pairs == null) return;
            for (int at = 0; at + 1 < pairs.length; at += 2)
                if (pairs[at] != null && !taker.take(pairs[at], pairs[at + 1])) return;
        }
    }

    static final class Single extends Container {
        private final Slot key;
        private final Slot value;

        Single(Slot key, Slot value) {
            super(MAP);
            this.key = key;
            this.value = value;
        }

        @Override
        int size(Object target) {
            return 1;
        }

        @Override
        void each(Object target, Taker taker) {
            taker.take(key.get(target), value.get(target));
        }
    }

    /** Only its size is told (WeakHashMap): to read a weak key would keep it alive while the collector works. */
    static final class Untold extends Container {
        private final Slot size;

        Untold(Slot size) {
            super(MAP);
            this.size = size;
        }

        @Override
        int size(Object target) {
            return Math.max(0, size.getInt(target));
        }

        @Override
        void each(Object target, Taker taker) {}
    }

    /** A map inside a map (Properties since Java 9). */
    static final class Inside extends Container {
        private final Shapes shapes;
        private final Slot inner;

        Inside(Shapes shapes, Slot inner) {
            super(MAP);
            this.shapes = shapes;
            this.inner = inner;
        }

        @Override
        int size(Object target) {
            Object map = shapes.behind(inner.get(target));
            Container container = shapes.containerOf(map);
            return container == null ? UNKNOWN : container.size(map);
        }

        @Override
        void each(Object target, Taker taker) {
            Object map = shapes.behind(inner.get(target));
            Container container = shapes.containerOf(map);
            if (container != null) container.each(map, taker);
        }
    }
}
