package substrate.agent.read;

/** Lists and queues of java.util. */
final class Lists {
    private Lists() {}

    /** Elements from the beginning of an array. */
    static final class ArrayBacked extends Container {
        private final Slot array;
        /** Null for the whole array. */
        private final Slot size;

        ArrayBacked(Slot array, Slot size) {
            super(LIST);
            this.array = array;
            this.size = size;
        }

        @Override
        int size(Object target) {
            Object[] elements = (Object[]) array.get(target);
            if (elements == null) return 0;
            return size == null ? elements.length : Math.min(elements.length, Math.max(0, size.getInt(target)));
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] elements = (Object[]) array.get(target);
            if (elements == null) return;
            int end = size == null ? elements.length : Math.min(elements.length, size.getInt(target));
            for (int at = 0; at < end; at++) if (!taker.take(null, elements[at])) return;
        }
    }

    /** Elements in a ring buffer. */
    static final class Ring extends Container {
        private final Slot array;
        private final Slot head;
        private final Slot tail;
        private final Slot count;

        /** Either `tail` (the place after the last) or `count` is set. */
        Ring(Slot array, Slot head, Slot tail, Slot count) {
            super(LIST);
            this.array = array;
            this.head = head;
            this.tail = tail;
            this.count = count;
        }

        @Override
        int size(Object target) {
            Object[] elements = (Object[]) array.get(target);
            if (elements == null || elements.length == 0) return 0;
            if (count != null) return Math.min(elements.length, Math.max(0, count.getInt(target)));
            int size = tail.getInt(target) - head.getInt(target);
            return size < 0 ? size + elements.length : Math.min(size, elements.length);
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] elements = (Object[]) array.get(target);
            int size = size(target);
            if (elements == null || elements.length == 0) return;
            int at = Math.max(0, head.getInt(target)) % elements.length;
            for (int left = Math.min(size, elements.length); left > 0; left--) {
                Object element = elements[at];
                // Queues hold no null: the element was removed a moment ago.
                if (element != null && !taker.take(null, element)) return;
                if (++at == elements.length) at = 0;
            }
        }
    }

    /** Elements in nodes; a node without an element is internal to the queue. */
    static final class Linked extends Container {
        /** The limit for a queue that is emptied faster than it is read. */
        private static final int MAX_RESTARTS = 100_000;
        private static final int MAX_COUNTS = 4;

        private final Slot first;
        private final Slot item;
        private final Slot next;
        /** For a deque whose `first` may lag behind; otherwise null. */
        private final Slot previous;
        private final boolean takesNull;

        /** `size` is null where the list does not store it. */
        Linked(Last last, Slot size, Slot first, Slot item, Slot next, Slot previous, boolean takesNull) {
            super(LIST, true, size, last);
            this.first = first;
            this.item = item;
            this.next = next;
            this.previous = previous;
            this.takesNull = takesNull;
        }

        @Override
        int count(Object target) {
            int most = 0;
            for (int counts = 0; counts < MAX_COUNTS; counts++) {
                int count = 0;
                Object node = start(target);
                for (int steps = 0; node != null && count <= MAX_COUNT && steps < MAX_STEPS; steps++) {
                    if (takesNull || item.get(node) != null) count++;
                    Object after = next.get(node);
                    if (after == node) break;
                    node = after;
                }
                most = Math.max(most, count);
                if (node == null || count > MAX_COUNT) return most;
            }
            return most;
        }

        @Override
        void each(Object target, Taker taker) {
            int restarts = 0;
            Object node = start(target);
            for (int steps = 0; node != null && steps < MAX_STEPS; steps++) {
                Object element = item.get(node);
                if ((element != null || takesNull) && !taker.take(null, element)) return;
                Object after = next.get(node);
                // A node that points at itself was removed, and so were all before it.
                if (after == node) after = restarts++ < MAX_RESTARTS ? start(target) : null;
                node = after;
            }
        }

        private Object start(Object target) {
            Object node = first.get(target);
            if (previous == null) return node;
            for (int steps = 0; node != null && steps < MAX_COUNT; steps++) {
                Object before = previous.get(node);
                if (before == null || before == node) break;
                node = before;
            }
            return node;
        }
    }

    /** One or two elements, each in a field of its own. */
    static final class Singles extends Container {
        private final Slot[] elements;

        Singles(int kind, Slot... elements) {
            super(kind);
            this.elements = elements;
        }

        @Override
        void each(Object target, Taker taker) {
            for (Slot element : elements) {
                Object value = element.get(target);
                if (isThere(value) && !taker.take(null, value)) return;
            }
        }

        /** The absent second element of List.of and Set.of is null, or a bare Object. */
        private boolean isThere(Object value) {
            return elements.length == 1 || value != null && value.getClass() != Object.class;
        }
    }

    /** A part of another list. */
    static final class Window extends Container {
        private final Shapes shapes;
        private final Slot whole;
        private final Slot offset;

        Window(Shapes shapes, Slot whole, Slot offset, Slot size) {
            super(LIST, true, size, null);
            this.shapes = shapes;
            this.whole = whole;
            this.offset = offset;
        }

        @Override
        int size(Object target) {
            return shapes.containerOf(whole.get(target)) == null ? UNKNOWN : super.size(target);
        }

        @Override
        void each(Object target, final Taker taker) {
            final int from = offset.getInt(target);
            final int end = from + size(target);
            Object list = whole.get(target);
            Container container = shapes.containerOf(list);
            if (container == null) return;
            container.each(list, new Taker() {
                private int at;

                @Override
                public boolean take(Object key, Object value) {
                    if (at >= end) return false;
                    return at++ < from || taker.take(null, value);
                }
            });
        }
    }

    /** One element, many times. */
    static final class Copies extends Container {
        private final Slot element;

        Copies(Slot count, Slot element) {
            super(LIST, true, count, null);
            this.element = element;
        }

        @Override
        void each(Object target, Taker taker) {
            Object value = element.get(target);
            for (int left = size(target); left > 0; left--) if (!taker.take(null, value)) return;
        }
    }

    /** A collection whose elements are not shown; `size` is null for an empty one. */
    static final class Empty extends Container {
        Empty(int kind, Slot size) {
            super(kind, kind == LIST, size, null);
        }

        @Override
        void each(Object target, Taker taker) {}
    }
}
