package substrate.agent.read;

/** Sets of java.util. */
final class Sets {
    private Sets() {}

    /** A set that keeps its elements as the keys of a map, or in a list. */
    static final class Backed extends Container {
        private final Shapes shapes;
        private final Slot backing;

        Backed(Shapes shapes, Slot backing) {
            super(SET);
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
            if (container.kind == LIST) {
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
        int size(Object target) {
            int size = 0;
            for (Object element : elements(target)) if (element != null) size++;
            return size;
        }

        @Override
        void each(Object target, Taker taker) {
            for (Object element : elements(target)) if (element != null && !taker.take(null, element)) return;
        }

        private Object[] elements(Object target) {
            Object[] elements = (Object[]) array.get(target);
            return elements == null ? new Object[0] : elements;
        }
    }

    /** A bit for each constant of an enum, in one long or in several. */
    static final class Enums extends Container {
        private final Slot bits;
        private final Slot universe;

        Enums(Slot bits, Slot universe) {
            super(SET);
            this.bits = bits;
            this.universe = universe;
        }

        @Override
        int size(Object target) {
            int size = 0;
            for (long word : words(target)) size += Long.bitCount(word);
            return size;
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] constants = (Object[]) universe.get(target);
            long[] words = words(target);
            if (constants == null) return;
            for (int at = 0; at < constants.length && at >> 6 < words.length; at++)
                if ((words[at >> 6] & 1L << (at & 63)) != 0 && !taker.take(null, constants[at])) return;
        }

        @Override
        boolean isOrdered(Object target) {
            return true;
        }

        private long[] words(Object target) {
            if (bits.type == 'J') return new long[] {bits.getLong(target)};
            long[] words = (long[]) bits.get(target);
            return words == null ? new long[0] : words;
        }
    }
}
