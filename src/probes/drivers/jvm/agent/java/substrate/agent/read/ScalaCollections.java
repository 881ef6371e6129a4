package substrate.agent.read;

import java.util.ArrayList;
import java.util.List;

import substrate.agent.vm.Vm;

/** The usual collections of Scala, 2.11 and later, read from their fields. */
final class ScalaCollections {
    private static final String PACKAGE = "scala.";
    private static final String IMMUTABLE = "collection.immutable.";
    private static final String MUTABLE = "collection.mutable.";

    private ScalaCollections() {}

    /** Null if the class is none of them. */
    static Container of(Vm vm, Class<?> type) {
        if (!type.getName().startsWith(PACKAGE)) return null;
        String name = type.getName().substring(PACKAGE.length());
        Members members = new Members(vm);
        if (name.startsWith("Tuple")) return new Fixed(Container.LIST, members, "_");
        if (name.startsWith(IMMUTABLE)) return immutable(members, type, name.substring(IMMUTABLE.length()));
        return name.startsWith(MUTABLE) ? mutable(members, type, name.substring(MUTABLE.length())) : null;
    }

    private static Container immutable(Members members, Class<?> type, String name) {
        switch (name) {
            case "$colon$colon": return new Cells(members, null, null);
            case "Nil$":
            case "Vector0$":
                return new Lists.Empty(Container.LIST, null);
            case "Map$EmptyMap$":
            case "HashMap$EmptyHashMap$":
                return new Lists.Empty(Container.MAP, null);
            case "Set$EmptySet$":
            case "HashSet$EmptyHashSet$":
                return new Lists.Empty(Container.SET, null);
            case "Map$Map1": case "Map$Map2": case "Map$Map3": case "Map$Map4":
                return new Fixed(Container.MAP, members, "key");
            case "Set$Set1": case "Set$Set2": case "Set$Set3": case "Set$Set4":
                return new Fixed(Container.SET, members, "elem");
            case "HashMap": case "HashMap$HashMap1": case "HashMap$HashTrieMap":
                return new HashTrie(Container.MAP, members);
            case "HashSet": case "HashSet$HashSet1": case "HashSet$HashTrieSet":
                return new HashTrie(Container.SET, members);
            case "Vector": case "Vector1": case "Vector2": case "Vector3": case "Vector4":
                return new Vector(members);
            default: return null;
        }
    }

    private static Container mutable(Members members, Class<?> type, String name) {
        switch (name) {
            case "ArrayBuffer": {
                Slot array = members.slot(type, "array");
                Slot size = members.slot(type, "size0");
                return array == null ? null : new Lists.ArrayBacked(array, size);
            }
            case "ListBuffer": {
                boolean isNew = members.slot(type, "first") != null;
                String start = isNew ? "first" : "scala$collection$mutable$ListBuffer$$start";
                return new Cells(members, start, members.slot(type, "len"));
            }
            case "HashMap": return new HashTable(Container.MAP, members, null);
            case "LinkedHashMap": return new HashTable(Container.MAP, members, "firstEntry");
            case "HashSet": return new HashTable(Container.SET, members, null);
            case "LinkedHashSet": return new HashTable(Container.SET, members, "firstEntry");
            default: return null;
        }
    }

    /** Cells of a list; the field of the next cell has another name since 2.13. */
    private static final class Cells extends Container {
        private final Members members;
        /** The field with the first cell; null if the list is its first cell. */
        private final String start;

        Cells(Members members, String start, Slot size) {
            super(LIST, true, size, null);
            this.members = members;
            this.start = start;
        }

        @Override
        void each(Object target, Taker taker) {
            Object cell = start == null ? target : members.get(target, start);
            for (int steps = 0; cell != null && steps < MAX_STEPS; steps++) {
                if (!cell.getClass().getName().endsWith("$colon$colon")) return;
                if (!taker.take(null, members.get(cell, "head"))) return;
                Object next = members.get(cell, "tl");
                cell = next != null ? next : members.get(cell, "next");
            }
        }
    }

    /** Each element in a field of its own, numbered from 1: small maps and sets, tuples. */
    private static final class Fixed extends Container {
        private static final int MAX = 22;
        private final Members members;
        private final String field;

        Fixed(int kind, Members members, String field) {
            super(kind, true, null, null);
            this.members = members;
            this.field = field;
        }

        @Override
        void each(Object target, Taker taker) {
            for (int at = 1; at <= MAX; at++) {
                Slot slot = slot(target.getClass(), field + at);
                if (slot == null) return;
                Object element = slot.get(target);
                boolean goesOn = kind == MAP ? taker.take(element, members.get(target, "value" + at))
                    : taker.take(null, element);
                if (!goesOn) return;
            }
        }

        /** A tuple of numbers has them in fields like `_1$mcI$sp`, beside unused ones. */
        private Slot slot(Class<?> type, String name) {
            for (char typeCode : type.getName().endsWith("$sp") ? new char[] {'I', 'J', 'D', 'Z', 'C'} : new char[0]) {
                Slot slot = members.slot(type, name + "$mc" + typeCode + "$sp");
                if (slot != null) return slot;
            }
            return members.slot(type, name);
        }
    }

    /** Tries of hashes: up to 2.12 with a class for each kind of node, from 2.13 on with the elements in the nodes. */
    private static final class HashTrie extends Container {
        private final Members members;

        HashTrie(int kind, Members members) {
            super(kind, false, null, null);
            this.members = members;
        }

        @Override
        void each(Object target, Taker taker) {
            Object root = members.get(target, "rootNode");
            node(root == null ? target : root, taker);
        }

        private boolean node(Object node, Taker taker) {
            if (node == null) return true;
            Class<?> type = node.getClass();
            if (members.slot(type, "content") != null) return packed(node, taker);
            if (members.slot(type, "elems") != null) {
                for (Object inner : members.array(node, "elems")) if (!node(inner, taker)) return false;
                return true;
            }
            if (members.slot(type, "key") == null) return true;
            Object key = members.get(node, "key");
            return kind == MAP ? taker.take(key, members.get(node, "value")) : taker.take(null, key);
        }

        /** Elements from the beginning of the array on, inner nodes from its end. */
        private boolean packed(Object node, Taker taker) {
            Object[] content = members.array(node, "content");
            int width = kind == MAP ? 2 : 1;
            int elements = Integer.bitCount(members.number(node, "dataMap")) * width;
            for (int at = 0; at + width <= Math.min(elements, content.length); at += width) {
                boolean goesOn = kind == MAP ? taker.take(content[at], content[at + 1]) : taker.take(null, content[at]);
                if (!goesOn) return false;
            }
            for (int at = content.length - 1; at >= elements; at--) if (!node(content[at], taker)) return false;
            return true;
        }
    }

    /** Up to 2.12 a tree with a window on it; from 2.13 on arrays of arrays before, in and after the middle. */
    private static final class Vector extends Container {
        private static final int BITS = 5;
        private final Members members;

        Vector(Members members) {
            super(LIST);
            this.members = members;
        }

        @Override
        void each(Object target, Taker taker) {
            if (members.slot(target.getClass(), "prefix1") != null) {
                sections(target, taker);
                return;
            }
            int end = members.number(target, "endIndex");
            int top = members.number(target, "depth") - 1;
            Object[] whole = members.array(target, "display" + top);
            for (int at = members.number(target, "startIndex"); at < end; at++) {
                Object[] block = whole;
                for (int level = top; level > 0; level--) {
                    int place = (at >>> BITS * level) & 31;
                    Object inner = place < block.length ? block[place] : null;
                    // The block written last is not in its place, but in the field of its level.
                    block = inner == null ? members.array(target, "display" + (level - 1)) : (Object[]) inner;
                }
                if ((at & 31) >= block.length || !taker.take(null, block[at & 31])) return;
            }
        }

        private void sections(Object target, Taker taker) {
            List<String> before = new ArrayList<String>();
            List<String> after = new ArrayList<String>();
            for (int depth = 1; depth <= 6; depth++) {
                before.add("prefix" + depth);
                after.add(0, "suffix" + depth);
            }
            for (int depth = 2; depth <= 6; depth++) before.add("data" + depth);
            before.addAll(after);
            for (String name : before) {
                int depth = name.charAt(name.length() - 1) - '0';
                if (!blocks(members.array(target, name), depth, taker)) return;
            }
        }

        private static boolean blocks(Object[] array, int depth, Taker taker) {
            for (Object inner : array) {
                if (depth > 1 && !(inner instanceof Object[])) return true;
                if (depth > 1 ? !blocks((Object[]) inner, depth - 1, taker) : !taker.take(null, inner)) return false;
            }
            return true;
        }
    }

    /** A table of chains of entries, or of the elements themselves; or entries in insertion order. */
    private static final class HashTable extends Container {
        private final Members members;
        /** Null if there is no order. */
        private final String first;

        HashTable(int kind, Members members, String first) {
            super(kind, first != null, null, null);
            this.members = members;
            this.first = first;
        }

        @Override
        void each(Object target, Taker taker) {
            if (first != null) {
                chain(members.get(target, first), "later", taker);
                return;
            }
            for (Object bucket : members.array(target, "table")) {
                if (bucket == null) continue;
                boolean isEntry = bucket.getClass().getName().startsWith(PACKAGE + MUTABLE);
                if (isEntry ? !chain(bucket, "next", taker) : !taker.take(null, bucket)) return;
            }
        }

        private boolean chain(Object start, String next, Taker taker) {
            Object entry = start;
            for (int steps = 0; entry != null && steps < MAX_STEPS; steps++) {
                Object key = either(entry, "key");
                if (kind == MAP ? !taker.take(key, either(entry, "value")) : !taker.take(null, key)) return false;
                entry = either(entry, next);
            }
            return true;
        }

        /** 2.13 puts an underscore before the names. */
        private Object either(Object entry, String name) {
            boolean isOld = members.slot(entry.getClass(), name) != null;
            return members.get(entry, isOld ? name : '_' + name);
        }
    }
}
