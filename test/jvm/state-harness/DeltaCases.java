package harness;

import java.util.*;

/** A state built from deltas always equals a full report. */
final class DeltaCases {
    private DeltaCases() {}

    static final class Shop {
        String name = "shop";
        int visits;
        Map<String, Item> items = new HashMap<>();
        List<Item> orders = new ArrayList<>();
        Set<Object> guests = new HashSet<>();
        TreeMap<Integer, String> log = new TreeMap<>();
        Object anything;
        LinkedList<int[]> numbers = new LinkedList<>();
        Map<Object, Object> odd = new HashMap<>();
    }

    static final class Item {
        String label;
        double price;
        Item related;
        List<String> tags = new ArrayList<>();

        Item(String label) {
            this.label = label;
        }
    }

    private static void mutate(Shop shop, Random random) {
        List<Item> all = new ArrayList<>(shop.items.values());
        all.addAll(shop.orders);
        Item some = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        switch (random.nextInt(18)) {
            case 0: shop.visits++; break;
            case 1: shop.items.put("k" + random.nextInt(30), new Item("i" + random.nextInt())); break;
            case 2: shop.items.remove("k" + random.nextInt(30)); break;
            case 3: shop.orders.add(random.nextInt(shop.orders.size() + 1), new Item("o" + random.nextInt(5))); break;
            case 4: if (!shop.orders.isEmpty()) shop.orders.remove(random.nextInt(shop.orders.size())); break;
            case 5: shop.guests.add("g" + random.nextInt(20)); break;
            case 6: shop.guests.remove("g" + random.nextInt(20)); break;
            case 7: if (some != null) some.related = all.get(random.nextInt(all.size())); break;
            case 8: if (some != null) some.related = null; break;
            case 9: if (some != null) some.price = random.nextInt(4); break;
            case 10: if (some != null) some.tags.add("t" + random.nextInt(3)); break;
            case 11: if (some != null) shop.orders.add(some); break;
            case 12: shop.log.put(random.nextInt(50), "l" + random.nextInt(3)); break;
            case 13: shop.anything = random.nextBoolean() ? some : random.nextBoolean() ? "text" : shop.orders; break;
            case 14: shop.numbers.add(new int[random.nextInt(4)]); if (shop.numbers.size() > 5) shop.numbers.poll(); break;
            case 15: shop.guests.add(new Item("guest")); break;
            case 16: if (some != null) shop.odd.put(some, random.nextInt(5)); else shop.odd.clear(); break;
            default: if (some != null) some.label = "changed " + random.nextInt(); shop.name = new String("shop"); break;
        }
    }

    private static void run(long seed, int cap, int steps) {
        Random random = new Random(seed);
        Shop shop = new Shop();
        Subject subject = new Subject(cap).put("x", shop).put("y", shop.guests);
        subject.full();
        for (int step = 0; step < steps; step++) {
            for (int count = random.nextInt(4); count > 0; count--) mutate(shop, random);
            Map<String, Object> state = subject.next();
            Check.that("cap", state.size() <= cap);
            Map<String, Object> again = subject.next();
            Check.same("nothing new, seed " + seed + " step " + step, "same", subject.kind);
            Check.same("same", state, again);
            if (step % 5 == 0) Check.same("seed " + seed + " step " + step, subject.full().toString(), state.toString());
        }
    }

    static void manySeeds() {
        for (long seed = 0; seed < 50; seed++) run(seed, 100_000, 60);
    }

    static void manySeedsUnderCaps() {
        for (long seed = 0; seed < 50; seed++) run(seed, 3 + (int) (seed * 7 % 300), 60);
    }

    static void oneChangeIsOneSlot() {
        Shop shop = new Shop();
        for (int at = 0; at < 1000; at++) shop.orders.add(new Item("o" + at));
        Subject subject = Subject.of(shop);
        subject.full();
        subject.next();
        Check.same("kind", "same", subject.kind);
        shop.orders.get(500).price = 3;
        subject.next();
        Check.that("short: " + subject.report.leaves, subject.report.leaves.byteCount() < 100);
        shop.orders.get(500).label = new String(shop.orders.get(500).label);
        subject.next();
        Check.same("an equal text is the same", "same", subject.kind);
    }

    static void slotsAreRenewed() {
        Shop shop = new Shop();
        Subject subject = Subject.of(shop);
        subject.full();
        boolean wasFull = false;
        for (int round = 0; round < 60 && !wasFull; round++) {
            shop.items.clear();
            for (int at = 0; at < 100; at++) shop.items.put("r" + round + "n" + at, new Item("i"));
            Map<String, Object> state = subject.next();
            wasFull = subject.kind.equals("full");
            Check.that("all there", state.containsKey("x.items.r" + round + "n99.label"));
        }
        Check.that("a new numbering came", wasFull);
    }

    static void setMembersKeepTheirPlaces() {
        Set<Object> guests = new HashSet<>();
        for (int at = 0; at < 20; at++) guests.add("guest" + at);
        Subject subject = Subject.of(guests);
        Map<String, Object> before = subject.full();
        Object first = before.get("x[0]");
        Object last = before.get("x[19]");
        for (int at = 0; at < 500; at++) guests.add("new" + at);
        Map<String, Object> after = subject.next();
        Check.same("first", first, after.get("x[0]"));
        Check.same("last of the first", last, after.get("x[19]"));
        guests.remove(before.get("x[5]"));
        after = subject.next();
        Check.same("moved up", before.get("x[6]"), after.get("x[5]"));
        Check.same("first", first, after.get("x[0]"));
        Check.same("length", 519L, after.get("x.size"));
    }

    static void capIsKept() {
        Shop shop = new Shop();
        for (int at = 0; at < 100; at++) shop.orders.add(new Item("o" + at));
        Subject subject = new Subject(3).put("x", shop);
        Check.same("leaves", 3, subject.full().size());
        Check.that("coverage", subject.report.coverage < 1 && subject.report.coverage > 0);
        Check.that("raw", subject.report.rawCount > 3);
        subject.next();
        Check.same("kind", "same", subject.kind);
        Subject all = Subject.of(shop);
        Check.same("raw is what is there", all.full().size(), all.report.rawCount);
        Check.same("coverage", 1.0, all.report.coverage);
    }

    static void noSubtreeEatsTheCap() {
        Shop large = new Shop();
        for (int at = 0; at < 20_000; at++) large.orders.add(new Item("o" + at));
        large.items.put("k", new Item("i"));
        large.items.get("k").tags.add("deep");
        Shop small = new Shop();
        small.orders.add(new Item("only"));
        small.orders.get(0).tags.add("deep");
        Subject subject = new Subject(5000).put("large", large).put("small", small);
        Map<String, Object> state = subject.full();
        Check.same("filled", 5000, state.size());
        Check.same("small root", "deep", state.get("small.orders[0].tags[0]"));
        Check.same("beside the list", "deep", state.get("large.items.k.tags[0]"));
        Check.that("list began", state.containsKey("large.orders[0].label"));
        subject.next();
        Check.same("deterministic", "same", subject.kind);
    }

    static void longTextsOfOneHash() {
        StringBuilder rest = new StringBuilder();
        for (int at = 0; at < 5000; at++) rest.append('r');
        String one = "Aa" + rest;
        String other = "BB" + rest;
        Check.that("alike", one.hashCode() == other.hashCode() && one.length() == other.length());
        Object[] holder = {one};
        Subject subject = Subject.of(holder);
        subject.full();
        holder[0] = new String(one);
        subject.next();
        Check.same("an equal text is the same", "same", subject.kind);
        holder[0] = other;
        Check.that("the other", ((String) subject.next().get("x[0]")).startsWith("BB"));
    }

    static final class Nested {
        Object inner;

        Nested(Object inner) {
            this.inner = inner;
        }
    }

    /** The first walk that has to share the cap is done again, and did not come to the set. */
    static void setsKeepTheirPlacesWhenTheCapIsReached() {
        Set<Object> guests = new HashSet<>();
        List<Object> rows = new ArrayList<>();
        for (int at = 0; at < 5; at++) guests.add("guest" + at);
        Subject subject = new Subject(1000).put("rows", rows).put("x", new Nested(new Nested(guests)));
        Map<String, Object> before = subject.full();
        for (int at = 0; at < 200; at++) guests.add("new" + at);
        subject.next();
        for (int at = 0; at < 5000; at++) rows.add(at);
        Map<String, Object> after = subject.next();
        Check.that("the cap was reached", subject.report.coverage < 1);
        for (int at = 0; at < 5; at++) {
            String path = "x.inner.inner[" + at + "]";
            Check.same(path, before.get(path), after.get(path));
        }
    }

    static final class Machine {
        final String name;
        final Machine[] parts;

        Machine(String name, int depth) {
            this.name = name;
            parts = new Machine[depth == 0 ? 0 : 8];
            for (int at = 0; at < parts.length; at++) parts[at] = new Machine(name + at, depth - 1);
        }
    }

    static final class Box {
        final Object inner;

        Box(Object inner) {
            this.inner = inner;
        }
    }

    static final class Plant {
        final Machine engine = new Machine("e", 4);
        final Machine pump = new Machine("p", 4);
        final Box store = new Box(new Box(new Box(new Box(new Box(new Box("deep"))))));
    }

    /** Each part of an object has its share, however much there is of the others before it comes to an end. */
    static void noPartEatsTheShareOfOthers() {
        Subject subject = new Subject(300).put("plant", new Plant());
        Map<String, Object> state = subject.full();
        Check.same("beside machinery", "deep", state.get("plant.store.inner.inner.inner.inner.inner.inner"));
        Check.that("much of the machinery", state.size() == 300);
        subject.next();
        Check.same("deterministic", "same", subject.kind);
    }

}
