package substrate.agent.read;

/** Maps of java.util.concurrent. */
final class ConcurrentMaps {
    private ConcurrentMaps() {}

    static final class Hashed extends Container {
        private static final int MAX_FORWARDS = 64;
        private final Slot table;
        private final Slot baseCount;
        private final Slot cells;
        private final Slot cellValue;
        private final Slot key;
        private final Slot value;
        private final Slot next;
        /** The table to which a moved bucket points. */
        private final Slot nextTable;
        /** The first node of a tree bin. */
        private final Slot first;

        Hashed(Slot[] slots) {
            super(MAP);
            table = slots[0];
            baseCount = slots[1];
            cells = slots[2];
            cellValue = slots[3];
            key = slots[4];
            value = slots[5];
            next = slots[6];
            nextTable = slots[7];
            first = slots[8];
        }

        @Override
        int size(Object target) {
            long count = baseCount.getLong(target);
            Object[] counters = (Object[]) cells.get(target);
            if (counters != null) for (Object cell : counters) if (cell != null) count += cellValue.getLong(cell);
            return (int) Math.max(0, Math.min(Integer.MAX_VALUE, count));
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] buckets = (Object[]) table.get(target);
            if (buckets == null) return;
            long[] steps = {2L * size(target) + 65536};
            for (int at = 0; at < buckets.length; at++) if (!bucket(buckets, at, taker, steps, 0)) return;
        }

        private boolean bucket(Object[] buckets, int at, Taker taker, long[] steps, int forwards) {
            Object node = buckets[at];
            if (node == null) return true;
            if (nextTable.field.getDeclaringClass().isInstance(node)) {
                Object[] larger = (Object[]) nextTable.get(node);
                if (larger == null || forwards == MAX_FORWARDS) return true;
                for (int part = at; part < larger.length; part += buckets.length)
                    if (!bucket(larger, part, taker, steps, forwards + 1)) return false;
                return true;
            }
            if (first.field.getDeclaringClass().isInstance(node)) node = first.get(node);
            for (; node != null && steps[0]-- > 0; node = next.get(node)) {
                Object name = key.get(node);
                Object held = value.get(node);
                if (name != null && held != null && !taker.take(name, held)) return false;
            }
            return true;
        }
    }

    static final class SkipList extends Container {
        private final Slot head;
        private final Slot node;
        private final Slot key;
        private final Slot value;
        private final Slot next;

        SkipList(Last last, Slot head, Slot node, Slot key, Slot value, Slot next) {
            super(MAP, true, null, last);
            this.head = head;
            this.node = node;
            this.key = key;
            this.value = value;
            this.next = next;
        }

        @Override
        void each(Object target, Taker taker) {
            Object index = head.get(target);
            Object at = index == null ? null : node.get(index);
            for (int steps = 0; at != null && steps < MAX_STEPS; steps++) {
                Object name = key.get(at);
                Object held = value.get(at);
                // Headers, markers of removed nodes (a node may be its own value) and nodes being removed are skipped.
                if (name != null && held != null && held != at && !taker.take(name, held)) return;
                at = next.get(at);
            }
        }
    }
}
