package harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Collections that an app wrote itself are shown as what they hold. */
final class OwnCases {
    private OwnCases() {}

    /** The tables of all kinds of maps; each map uses two of them. */
    static class BaseMap {
        boolean hasIntKeys;
        int threshold = 12;
        AtomicInteger accessCount;
        int[] links = {-1, -1, -1, -1};
        int[] intKeyTable;
        Object[] objectKeyTable;
        int[] intValueTable;
        Object[] objectValueTable;
    }

    static final class NameMap extends BaseMap {
        NameMap() {
            objectKeyTable = new Object[] {"one", null, "two", null};
            objectValueTable = new Object[] {new Ferry("Sandpiper"), null, "x", null};
        }
    }

    static final class NumberMap extends BaseMap {
        NumberMap() {
            intKeyTable = new int[] {0, 7, 0, 0};
            intValueTable = new int[] {3, 8, 0, 0};
        }
    }

    static final class NameSet extends BaseMap {
        NameSet() {
            objectKeyTable = new Object[] {null, "b", "a"};
        }
    }

    static final class Ferry {
        String name;

        Ferry(String name) {
            this.name = name;
        }
    }

    static final class GrowingList {
        Object comparator;
        int elementCount = 2;
        Object[] elementData = {"a", "b", "gone", null};
        Object[] reserve;
        boolean shrinks = true;
    }

    static final class RingQueue {
        Object[] list = {"c", "d", "gone", "a", "b"};
        int firstIndex = 3;
        int elementCount = 4;
    }

    static final class FerryList {
        String owner = "Ada";
        Ferry[] ferries = {new Ferry("Petrel"), null};
        int count = 1;
    }

    static final class Cell {
        final String key;
        Object value;
        final int hash = 5;
        Cell next;

        Cell(String key, Object value, Cell next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    static final class ChainedTable implements Iterable<Object> {
        Cell[] buckets = {null, new Cell("a", 1, new Cell("b", 2, null)), new Cell("c", 3, null)};
        int size = 3;

        @Override
        public java.util.Iterator<Object> iterator() {
            throw new AssertionError("it is called");
        }
    }

    static final class TreeNode {
        int balance;
        TreeNode nNext;
        TreeNode nLeft;
        TreeNode nRight;
        TreeNode nParent;
        final Object row;

        TreeNode(Object row) {
            this.row = row;
        }

        TreeNode with(TreeNode left, TreeNode right) {
            nLeft = left;
            nRight = right;
            if (left != null) left.nParent = this;
            if (right != null) right.nParent = this;
            return this;
        }
    }

    static final class Row {
        String text;
        TreeNode node;

        Row(String text) {
            this.text = text;
        }

        TreeNode node() {
            return node = new TreeNode(this);
        }
    }

    static final class Link {
        final Object item;
        Link next;

        Link(Object item, Link next) {
            this.item = item;
            this.next = next;
        }
    }

    static final class LinkedBag {
        Link head = new Link("a", new Link("b", null));
        Link tail = head.next;
        int modifications = 9;
    }

    /** No link of a chain, although it has a next one: it is something by itself. */
    static final class Scene {
        String title;
        List<String> lines = new ArrayList<>();
        Scene next;

        Scene(String title, Scene next) {
            this.title = title;
            this.next = next;
        }
    }

    static void arrays() {
        Check.same("keys and values", "one.name=Sandpiper size=2 two=x", Subject.shown(new NameMap()));
        Check.same("numbers", "[\"0\"]=3 [\"7\"]=8 size=2", Subject.shown(new NumberMap()));
        Check.same("keys alone", "[0]=b [1]=a size=2", Subject.shown(new NameSet()));
        Check.same("a list", "[0]=a [1]=b length=2", Subject.shown(new GrowingList()));
        Check.same("a ring", "[0]=a [1]=b [2]=c [3]=d length=4", Subject.shown(new RingQueue()));
        Check.same("a list of the app", "[0].name=Petrel length=1 owner=Ada", Subject.shown(new FerryList()));
        Check.same("chains", "a=1 b=2 c=3 size=3", Subject.shown(new ChainedTable()));
    }

    static void nodes() {
        Row first = new Row("1");
        Row second = new Row("2");
        Row third = new Row("3");
        TreeNode root = second.node().with(first.node(), third.node());
        Check.same("a tree", "[0].text=1 [1].node=[ref] x [1].text=2 [2].text=3 length=3", Subject.shown(root));
        Check.same("a chain", "[0]=a [1]=b length=2", Subject.shown(new LinkedBag()));
        Check.same("what is something by itself", "lines.length=0 next.lines.length=0 next.next=null next.title=b title=a",
            Subject.shown(new Scene("a", new Scene("b", null))));
        Link ring = new Link("a", null);
        ring.next = new Link("b", ring);
        Check.same("a ring", "[0]=a [1]=b length=2", Subject.shown(ring));
        TreeNode end = new TreeNode(null);
        end.nLeft = end;
        end.nRight = end;
        TreeNode sole = new TreeNode("only");
        sole.nLeft = end;
        sole.nRight = end;
        Check.same("a tree with an end", "[0]=only length=1", Subject.shown(sole));
        TreeNode deep = new TreeNode("0");
        for (int at = 1; at < 5000; at++) deep = new TreeNode("" + at).with(deep, null);
        Check.that("one that is no tree any more", Subject.shown(deep).contains("length="));
    }

    /** A single element needs no index. */
    static void onlySteps() {
        java.util.Map<Object, Object> one = new java.util.HashMap<>();
        one.put("only", new Ferry("a"));
        Check.same("a map", "only", onlyStepOf(one));
        one.put("other", new Ferry("b"));
        Check.same("two", null, onlyStepOf(one));
        Check.same("a list", 0, onlyStepOf(new ArrayList<>(List.of(new Ferry("a")))));
        Check.same("an empty list", null, onlyStepOf(new ArrayList<>()));
        Check.same("an array", 0, onlyStepOf(new Ferry[1]));
        Check.same("an own list", 0, onlyStepOf(new FerryList()));
        Check.same("no collection", null, onlyStepOf(new Ferry("a")));
    }

    private static Object onlyStepOf(Object collection) {
        Subject subject = Subject.of(collection);
        subject.full();
        return subject.reader.onlyStep("x");
    }
}
