package substrate.agent.read;

/** Containers of linked objects: trees and chains that an app wrote itself. With keys they are maps. */
final class Nodes {
    /** Larger ones report no size: every count would visit all nodes. */
    private static final int MAX_COUNTED = 10_000;
    private static final int MAX_DEPTH = 128;

    private Nodes() {}

    private abstract static class LinkedNodes extends Container {
        private final Slot key;
        private final Slot value;

        LinkedNodes(Last last, Slot key, Slot value) {
            super(key == null ? LIST : MAP, true, null, last);
            this.key = key;
            this.value = value;
        }

        @Override
        final int count(Object target) {
            int count = count(target, MAX_COUNTED);
            return count > MAX_COUNTED ? UNKNOWN : count;
        }

        /** A node without a value is an end marker, except in the JDK. */
        final boolean hand(Object node, Taker taker) {
            Object held = value.get(node);
            Object name = key == null ? null : key.get(node);
            return held == null && name == null && node.getClass().getClassLoader() != null || taker.take(name, held);
        }
    }

    static final class Tree extends LinkedNodes {
        private final Slot left;
        private final Slot right;
        /** Null if nodes have no parent field. */
        private final Slot parent;

        Tree(Last last, Slot key, Slot value, Slot left, Slot right, Slot parent) {
            super(last, key, value);
            this.left = left;
            this.right = right;
            this.parent = parent;
        }

        @Override
        boolean isInner(Object target) {
            return parent != null && parent.get(target) != null;
        }

        @Override
        void each(Object target, Taker taker) {
            Object[] path = new Object[MAX_DEPTH];
            int depth = 0;
            Object node = target;
            for (int steps = 0; steps < MAX_STEPS; steps++) {
                while (node != null && depth < MAX_DEPTH) {
                    path[depth++] = node;
                    node = below(left, node);
                }
                if (depth == 0) return;
                Object at = path[--depth];
                path[depth] = null;
                if (!hand(at, taker)) return;
                node = below(right, at);
            }
        }

        /** In some trees the end marker points at itself. */
        private static Object below(Slot side, Object node) {
            Object child = side.get(node);
            return child == node ? null : child;
        }
    }

    static final class Chain extends LinkedNodes {
        private final Slot next;

        Chain(Last last, Slot key, Slot value, Slot next) {
            super(last, key, value);
            this.next = next;
        }

        @Override
        void each(Object target, Taker taker) {
            Object node = target;
            for (int steps = 0; node != null && steps < MAX_STEPS; steps++) {
                if (!hand(node, taker)) return;
                Object after = next.get(node);
                // The chain is a ring.
                node = after == target || after == node ? null : after;
            }
        }
    }

    /** A collection that holds the first of its nodes. */
    static final class From extends Container {
        private final Slot beginning;
        private final Container nodes;

        /** `size` is null where the collection does not store it. */
        From(Last last, Slot size, Slot beginning, Container nodes) {
            super(nodes.kind, true, size, last);
            this.beginning = beginning;
            this.nodes = nodes;
        }

        @Override
        int count(Object target) {
            Object node = beginning.get(target);
            return node == null ? 0 : nodes.count(node);
        }

        @Override
        void each(Object target, final Taker taker) {
            Object node = beginning.get(target);
            if (node == null) return;
            final long most = maxSteps(target);
            nodes.each(node, new Taker() {
                private long steps;

                @Override
                public boolean take(Object key, Object value) {
                    return steps++ < most && taker.take(key, value);
                }
            });
        }
    }
}
