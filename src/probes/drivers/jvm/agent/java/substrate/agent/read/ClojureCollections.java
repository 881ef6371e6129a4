package substrate.agent.read;

import substrate.agent.vm.Vm;

/** The persistent collections of Clojure, read from their nodes. A sequence is read as far as it is realised. */
final class ClojureCollections {
    private static final String PACKAGE = "clojure.lang.";

    private ClojureCollections() {}

    /** Null if the class is none of them. */
    static Container of(Vm vm, Shapes shapes, Class<?> type) {
        if (!type.getName().startsWith(PACKAGE)) return null;
        Members members = new Members(vm);
        switch (type.getName().substring(PACKAGE.length())) {
            case "PersistentArrayMap": {
                Slot array = members.slot(type, "array");
                return array == null ? null : new Maps.Alternating(array);
            }
            case "PersistentHashMap": return new HashTrie(members, members.slot(type, "count"));
            case "PersistentTreeMap": return new Sorted(members, members.slot(type, "_count"));
            case "PersistentHashSet":
            case "PersistentTreeSet": {
                Slot map = members.slot(type, "impl");
                return map == null ? null : new Sets.Backed(Container.SET, shapes, map);
            }
            case "PersistentVector": return new Trie(members, members.slot(type, "cnt"));
            case "APersistentVector$SubVector": return new Part(members, shapes);
            case "PersistentQueue": return new Queue(members, members.slot(type, "cnt"), shapes);
            case "MapEntry": {
                Slot key = members.slot(type, "_key");
                Slot value = members.slot(type, "_val");
                return key == null || value == null ? null : new Lists.Singles(Container.LIST, key, value);
            }
            case "PersistentList$EmptyList": return new Lists.Empty(Container.LIST, null);
            case "PersistentList":
            case "Cons":
            case "LazySeq":
            case "ChunkedCons":
                return new Sequence(members, shapes);
            default: return null;
        }
    }

    private static final class HashTrie extends Container {
        private final Members members;

        HashTrie(Members members, Slot count) {
            super(MAP, false, count, null);
            this.members = members;
        }

        @Override
        void each(Object target, Taker taker) {
            boolean hasNull = Boolean.TRUE.equals(members.get(target, "hasNull"));
            if (hasNull && !taker.take(null, members.get(target, "nullValue"))) return;
            node(members.get(target, "root"), taker);
        }

        private boolean node(Object node, Taker taker) {
            if (node == null) return true;
            Object[] array = members.array(node, "array");
            String name = node.getClass().getName();
            if (name.endsWith("$ArrayNode")) {
                for (Object inner : array) if (!node(inner, taker)) return false;
                return true;
            }
            boolean isCollision = name.endsWith("$HashCollisionNode");
            int end = isCollision ? Math.min(array.length, 2 * members.number(node, "count")) : array.length;
            for (int at = 0; at + 1 < end; at += 2) {
                Object key = array[at];
                Object value = array[at + 1];
                // A place without a key leads to another node, or is unused.
                if (key != null ? !taker.take(key, value) : !node(value, taker)) return false;
            }
            return true;
        }
    }

    private static final class Sorted extends Container {
        private final Members members;

        Sorted(Members members, Slot count) {
            super(MAP, true, count, null);
            this.members = members;
        }

        @Override
        void each(Object target, Taker taker) {
            node(members.get(target, "tree"), taker);
        }

        /** The recursion is as deep as the logarithm of the size. */
        private boolean node(Object node, Taker taker) {
            return node == null || node(members.get(node, "left"), taker)
                && taker.take(members.get(node, "key"), members.get(node, "val"))
                && node(members.get(node, "right"), taker);
        }
    }

    private static final class Trie extends Container {
        private static final int BITS = 5;
        private final Members members;

        Trie(Members members, Slot count) {
            super(LIST, true, count, null);
            this.members = members;
        }

        @Override
        void each(Object target, Taker taker) {
            if (!node(members.get(target, "root"), members.number(target, "shift"), taker)) return;
            for (Object element : members.array(target, "tail")) if (!taker.take(null, element)) return;
        }

        private boolean node(Object node, int level, Taker taker) {
            if (node == null) return true;
            for (Object inner : members.array(node, "array")) {
                if (level > 0 && inner == null) return true;
                if (level > 0 ? !node(inner, level - BITS, taker) : !taker.take(null, inner)) return false;
            }
            return true;
        }
    }

    /** A part of a vector. */
    private static final class Part extends Container {
        private final Members members;
        private final Shapes shapes;

        Part(Members members, Shapes shapes) {
            super(LIST);
            this.members = members;
            this.shapes = shapes;
        }

        @Override
        void each(Object target, final Taker taker) {
            final int from = members.number(target, "start");
            final int end = members.number(target, "end");
            Object whole = members.get(target, "v");
            Container container = shapes.containerOf(whole);
            if (container == null) return;
            container.each(whole, new Taker() {
                private int at;

                @Override
                public boolean take(Object key, Object value) {
                    if (at >= end) return false;
                    return at++ < from || taker.take(null, value);
                }
            });
        }
    }

    /** A list in front, a vector behind it. */
    private static final class Queue extends Container {
        private final Members members;
        private final Shapes shapes;

        Queue(Members members, Slot count, Shapes shapes) {
            super(LIST, true, count, null);
            this.members = members;
            this.shapes = shapes;
        }

        @Override
        void each(Object target, final Taker taker) {
            final boolean[] isOver = {false};
            Taker noting = new Taker() {
                @Override
                public boolean take(Object key, Object value) {
                    isOver[0] = !taker.take(null, value);
                    return !isOver[0];
                }
            };
            for (String part : new String[] {"f", "r"}) {
                Object elements = isOver[0] ? null : members.get(target, part);
                Container container = shapes.containerOf(elements);
                if (container != null) container.each(elements, noting);
            }
        }
    }

    /** Cells in a chain. An unrealised cell would run code of the app: the sequence ends there. */
    private static final class Sequence extends Container {
        private final Members members;
        private final Shapes shapes;

        Sequence(Members members, Shapes shapes) {
            super(LIST);
            this.members = members;
            this.shapes = shapes;
        }

        @Override
        int count(Object target) {
            Object list = members.slot(target.getClass(), "_count");
            if (list != null) return members.number(target, "_count");
            final int[] count = {0};
            boolean isWhole = walk(target, new Taker() {
                @Override
                public boolean take(Object key, Object value) {
                    return ++count[0] <= MAX_COUNT;
                }
            });
            return isWhole ? count[0] : UNKNOWN;
        }

        @Override
        void each(Object target, Taker taker) {
            walk(target, taker);
        }

        /** False if there may be more. */
        private boolean walk(Object target, Taker taker) {
            Object at = target;
            for (int steps = 0; at != null && steps < MAX_STEPS; steps++) {
                switch (at.getClass().getName()) {
                    case "clojure.lang.PersistentList":
                    case "clojure.lang.Cons": {
                        if (!taker.take(null, members.get(at, "_first"))) return false;
                        Object rest = members.get(at, "_rest");
                        at = rest != null ? rest : members.get(at, "_more");
                        break;
                    }
                    case "clojure.lang.LazySeq": {
                        if (members.get(at, "fn") != null) return false;
                        Object realised = members.get(at, "s");
                        at = realised != null ? realised : members.get(at, "sv");
                        break;
                    }
                    case "clojure.lang.ChunkedCons": {
                        Object chunk = members.get(at, "chunk");
                        Object[] array = members.array(chunk, "array");
                        int end = Math.min(array.length, members.number(chunk, "end"));
                        for (int place = members.number(chunk, "off"); place < end; place++)
                            if (!taker.take(null, array[place])) return false;
                        at = members.get(at, "_more");
                        break;
                    }
                    case "clojure.lang.PersistentList$EmptyList": return true;
                    default: {
                        Container rest = shapes.containerOf(at);
                        if (rest != null && rest.kindOf(at) == LIST) rest.each(at, taker);
                        return rest != null;
                    }
                }
            }
            return at == null;
        }
    }
}
