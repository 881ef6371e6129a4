package substrate.agent.read;

/** Sets of java.util, and views of other collections. */
final class Sets {
    private Sets() {}

    /** A set that stores its elements as the keys of a map, or in a list; a map that stores them in another map. */
    static final class Backed extends Container {
        private final Shapes shapes;
        private final Slot backing;

        Backed(int kind, Shapes shapes, Slot backing) {
            super(kind);
            this.shapes = shapes;
            this.backing = backing;
        }

        @Override
        int size(Object target) {
            Object inner = shapes.behind(backing.get(target));
            Container container = shapes.containerOf(inner);
            return container == null ? UNKNOWN : container.size(inner);
        }

        @Override
        int estimate(Object target) {
            Object inner = shapes.behind(backing.get(target));
            Container container = shapes.containerOf(inner);
            return container == null ? 0 : container.estimate(inner);
        }

        @Override
        void each(Object target, final Taker taker) {
            Object inner = shapes.behind(backing.get(target));
            Container container = shapes.containerOf(inner);
            if (container == null) return;
            if (container.kind == LIST || kind == MAP) {
                container.each(inner, taker);
                return;
            }
            container.each(inner, new Taker() {
                @Override
                public boolean take(Object key, Object value) {
                    return taker.take(null, key);
                }
            });
        }

        @Override
        boolean isOrdered(Object target) {
            Object inner = shapes.behind(backing.get(target));
            Container container = shapes.containerOf(inner);
            return container != null && container.isOrdered(inner);
        }
    }

    /** An array with gaps (Set.of). */
    static final class Sparse extends Container {
        private final Slot array;

        Sparse(Slot array) {
            super(SET);
            this.array = array;
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] elements = (Object[]) array.get(target);
            if (elements == null) return;
            for (Object element : elements) if (element != null && !taker.take(null, element)) return;
        }
    }

    /** A bit for each constant of an enum, in one long or in several. */
    static final class Enums extends Container {
        private final Slot bits;
        private final Slot universe;

        Enums(Slot bits, Slot universe) {
            super(SET, true, null, null);
            this.bits = bits;
            this.universe = universe;
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] constants = (Object[]) universe.get(target);
            long[] words = words(target);
            if (constants == null) return;
            for (int at = 0; at < constants.length && at >> 6 < words.length; at++)
                if ((words[at >> 6] & 1L << (at & 63)) != 0 && !taker.take(null, constants[at])) return;
        }

        private long[] words(Object target) {
            if (bits.type == 'J') return new long[] {bits.getLong(target)};
            long[] words = (long[]) bits.get(target);
            return words == null ? new long[0] : words;
        }
    }
}
