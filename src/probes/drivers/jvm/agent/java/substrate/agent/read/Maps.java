package substrate.agent.read;

/** Maps of java.util. */
final class Maps {
    private Maps() {}

    /** Nodes in a list (LinkedHashMap), or in the chains of a table; nodes of tree bins are chained as well. */
    static final class Chained extends Container {
        private final Slot start;
        private final Slot key;
        private final Slot value;
        private final Slot next;

        Chained(boolean isOrdered, Slot start, Slot size, Slot key, Slot value, Slot next) {
            super(MAP, isOrdered, size, null);
            this.start = start;
            this.key = key;
            this.value = value;
            this.next = next;
        }

        @Override
        void each(Object target, Taker taker) {
            Object first = start.get(target);
            if (first == null) return;
            long steps = maxSteps(target);
            for (Object bucket : first instanceof Object[] ? (Object[]) first : new Object[] {first})
                for (Object node = bucket; node != null && steps > 0; node = next.get(node), steps--)
                    if (!taker.take(key.get(node), value.get(node))) return;
        }
    }

    /** Keys in one array, values in another (EnumMap). */
    static final class Parallel extends Container {
        private final Slot keys;
        private final Slot values;

        Parallel(Slot keys, Slot values) {
            super(MAP, true, null, null);
            this.keys = keys;
            this.values = values;
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] names = (Object[]) keys.get(target);
            Object[] held = (Object[]) values.get(target);
            if (names == null || held == null) return;
            for (int at = 0; at < held.length && at < names.length; at++)
                if (held[at] != null && !taker.take(names[at], unmasked(held[at]))) return;
        }

        /** EnumMap stores null as an object of its own. */
        private static Object unmasked(Object value) {
            return value.getClass().getName().startsWith("java.util.EnumMap$") ? null : value;
        }
    }

    /** Keys and values in turn in one array (IdentityHashMap, Map.of). */
    static final class Alternating extends Container {
        private final Slot table;

        Alternating(Slot table) {
            super(MAP);
            this.table = table;
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
        void each(Object target, Taker taker) {
            taker.take(key.get(target), value.get(target));
        }
    }
}
