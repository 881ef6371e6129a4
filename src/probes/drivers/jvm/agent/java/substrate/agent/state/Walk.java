package substrate.agent.state;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.read.Entry;
import substrate.agent.read.Hash;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.vm.Pace;

/**
 * Goes breadth first through all that the roots hold. Deterministic while nothing changes; keeps nothing afterwards.
 * Where the cap does not allow for everything, each root and each collection has a share of it.
 */
final class Walk {
    /** A collection with more elements has a share of its own. */
    private static final int SMALL_COLLECTION = 16;
    /** Down to this depth every object has a share of its own, whatever else its neighbours lead to. */
    private static final int NEAR = 4;
    private static final int MAX_ROUNDS = 16;
    private static final long KEY = Hash.of("key");
    private static final int LONG_TABLE = 500;
    private static final int MAX_MARKS = 1000;
    private static final long CHANGED = 0;
    private static final int LEAST_OBJECTS = 1000;

    private final Shapes shapes;
    private final ObjectReader reader;
    private final Entries entries = new Entries();
    private final SeenObjects seen = new SeenObjects();
    private final LeafBudget shares = new LeafBudget();
    private final Child child;
    private final Leads leads;
    private final ReferenceOnlyCheck glance;
    private TypesByShape holders;
    private int cap;
    private int head;
    private long leftOut;
    private DeferredEntries aside = new DeferredEntries();
    private DeferredEntries spare = new DeferredEntries();
    /** Long static tables of plain values: most never change, so they come last. */
    private final DeferredEntries tables = new DeferredEntries();
    private final DeferredEntries keys = new DeferredEntries();
    /** Of long tables, by the hashes of their paths. */
    private final Map<Long, Long> marks = new HashMap<Long, Long>();
    /** The cap was too small, and may be so still. */
    private boolean isShared;
    /** Something becomes a root that was shown at a worse place. */
    private boolean isMoved;
    /** Something exceeded the cap or its share of it. */
    private boolean isExceeded;
    /** There was no time for all. */
    private boolean wasLate;
    /** Something was left out for lack of room or time. */
    private boolean isCut;
    /** Tables are not put off any more. */
    private boolean areTablesRead;

    Walk(Shapes shapes, ObjectReader reader, Pace pace, Leads leads) {
        this.shapes = shapes;
        this.reader = reader;
        this.leads = leads;
        child = new Child(shapes, entries, seen, pace, leads);
        glance = new ReferenceOnlyCheck(shapes, reader, seen);
    }

    /** One value. What leads to one of the `known` roots only names it: else it would bring half of the state. */
    void run(RootCandidate value, List<RootCandidate> known, int limit, Leaves into) {
        child.start(into, Long.MAX_VALUE);
        holders = null;
        cap = limit;
        leftOut = 0;
        isExceeded = false;
        isMoved = false;
        try {
            int entry = addRoot(value, cap);
            for (RootCandidate root : known) addRoot(root, 0);
            head = entries.count;
            if (entry >= 0) visit(entry, 0);
            readAll();
        } finally {
            clear();
        }
    }

    /**
     * `first`: roots that are there from the start. `later`: roots that are known; what they share with the first is
     * shown there. Of the candidates those become roots, in the book too, that nothing shows: neither the roots nor a
     * candidate before. False: must be run again, because the cap has to be shared from here on, or because the shares
     * would have been others with the new roots. `until`: of the time of the capture.
     */
    boolean run(List<RootCandidate> first, List<RootCandidate> later, List<RootCandidate> candidates, RootRegistry book, int limit, long until,
        Leaves into, TypesByShape noted) {
        child.start(into, until);
        leads.forget();
        holders = noted;
        cap = limit;
        leftOut = 0;
        isExceeded = false;
        isMoved = false;
        try {
            child.putOffKeys(keys);
            readRoots(first, later);
            readAside();
            wasLate = isExceeded && isLate();
            boolean mustShare = isExceeded && !isShared;
            boolean keepsSome = false;
            // What was not come to may show a candidate.
            if (!mustShare && !wasLate) for (RootCandidate candidate : candidates) keepsSome |= adopt(candidate, book);
            readKeys();
            readTables();
            countLeftOut();
            mustShare = isExceeded && !isShared;
            boolean isSettled = !mustShare && !(keepsSome && isExceeded) && !isMoved;
            isShared = mustShare || isShared && leftOut + child.used() > cap / 2;
            isCut = aside.count > 0;
            return isSettled;
        } finally {
            clear();
        }
    }

    private boolean adopt(RootCandidate candidate, RootRegistry book) {
        Object target = candidate.target();
        int known = target == null ? Entries.NO_PARENT : seen.find(target);
        if (target == null || known >= 0 && !isOutOfTheWay(known)) return false;
        book.keep(candidate);
        if (known >= 0) {
            isMoved = true;
            return true;
        }
        addRoot(candidate, cap);
        readAll();
        readAside();
        return true;
    }

    /** Nobody would look for it there: it only is what something is looked up by, or belongs to a constant. */
    private boolean isOutOfTheWay(int entry) {
        for (int at = entry; entries.parents[at] >= 0; at = entries.parents[at]) {
            if (entries.segments[at] != Entries.NAME) continue;
            String name = entries.names[at];
            if (entries.isKey(entries.parents[at], Entries.NAME, name) || at != entry && isConstant(name)) return true;
        }
        return false;
    }

    /** By the custom of Java: capitals only. */
    private static boolean isConstant(String field) {
        boolean hasCapital = false;
        for (int at = 0; at < field.length(); at++) {
            if (Character.isLowerCase(field.charAt(at))) return false;
            hasCapital |= Character.isUpperCase(field.charAt(at));
        }
        return hasCapital && field.length() > 1;
    }

    private void readRoots(List<RootCandidate> first, List<RootCandidate> later) {
        int share = cap / (2 * Math.max(1, first.size() + later.size()));
        for (RootCandidate root : first) addRoot(root, share);
        int known = entries.count;
        int[] reserved = new int[later.size()];
        for (int at = 0; at < reserved.length; at++) reserved[at] = addRoot(later.get(at), share);
        int afterRoots = entries.count;
        while (head < known) visit(head++, 0);
        head = afterRoots;
        readAll();
        for (int entry : reserved) {
            if (entry >= 0) visit(entry, 0);
            readAll();
        }
    }

    /** Those that nothing else has shown are shown here. */
    private void readKeys() {
        child.putOffKeys(null);
        for (int at = 0; at < keys.count; at++) {
            int entry = keys.entries[at];
            int granted = isVain() ? 0 : cap - child.used();
            child.of(entry, granted);
            child.name("key", KEY);
            boolean isTaken = child.value(((Entry) entries.targets[entry]).key);
            if (isShared) shares.use(entries.shares[entry], granted - child.allowance());
            if (isTaken) continue;
            leftOut++;
            isExceeded = true;
        }
        readAll();
        readAside();
    }

    /** With what is left. That they do not fit is no reason to share. */
    private void readTables() {
        boolean wasExceeded = isExceeded;
        areTablesRead = true;
        for (int at = 0; at < tables.count; at++) {
            int entry = tables.entries[at];
            if (isLongTable(entry)) countOnly(entry);
            else visit(entry, 0);
        }
        wasLate |= isLate() && isExceeded;
        isExceeded = wasExceeded;
    }

    /** So long, and never seen to change: words, codes, translations. How many there are has to do. */
    private boolean isLongTable(int entry) {
        Object target = entries.targets[entry];
        Shape shape = entries.shapes[entry];
        boolean isOfPrimitives = target.getClass().isArray() && !(target instanceof Object[]);
        if (isOfPrimitives || ObjectReader.estimate(target, shape) <= LONG_TABLE) return false;
        long mark = shapes.markOf(target, shape);
        Long known = marks.get(entries.hashes[entry]);
        if (known == null && marks.size() < MAX_MARKS) marks.put(entries.hashes[entry], mark);
        else if (known == null || known != mark) marks.put(entries.hashes[entry], CHANGED);
        return known == null || known == mark;
    }

    private void countOnly(int entry) {
        child.of(entry, Math.min(1, cap - child.used()));
        reader.read(entries.targets[entry], entries.shapes[entry], entries.hashes[entry], 0, child);
        leftOut++;
    }

    private boolean isTable(int entry, Object target, Shape shape) {
        int parent = entries.parents[entry];
        return parent >= 0 && entries.targets[parent] instanceof Class
            && isLarge(target, shape) && shapes.holdsOnlyValues(target, shape);
    }

    private void openShare(int entry, Object target, Shape shape) {
        int share = entries.shares[entry];
        if (isLarge(target, shape)) entries.shares[entry] = shares.openCollection(share);
        else if (entries.depths[entry] <= NEAR) entries.shares[entry] = shares.openPart(share);
    }

    private static boolean isLarge(Object target, Shape shape) {
        return shape.hasElements() && ObjectReader.estimate(target, shape) > SMALL_COLLECTION;
    }

    private void countLeftOut() {
        for (int at = 0; at < aside.count; at++) {
            int entry = aside.entries[at];
            int children = ObjectReader.estimate(entries.targets[entry], entries.shapes[entry]);
            leftOut += Math.max(1, children - aside.positions[at]);
        }
    }

    int count() {
        return child.count();
    }

    /** Leaves that were seen but not read; at least so many. */
    int leftOut() {
        return (int) Math.min(Integer.MAX_VALUE, leftOut);
    }

    /** Some leaves counted as several. */
    boolean isWeighed() {
        return child.used() > child.count();
    }

    boolean wasLate() {
        return wasLate;
    }

    boolean isCut() {
        return isCut;
    }

    /** Of the leaf that is being put. */
    Child child() {
        return child;
    }

    private void clear() {
        aside.count = 0;
        tables.count = 0;
        keys.count = 0;
        head = 0;
        areTablesRead = false;
        entries.clear();
        seen.clear();
        shares.clear();
        shapes.forgetLast();
        child.end();
        holders = null;
    }

    private int addRoot(RootCandidate root, int share) {
        Object target = root.target();
        if (target == null || seen.find(target) >= 0) return -1;
        Shape shape = root.isStatic ? shapes.ofStatics((Class<?>) target) : shapes.of(target.getClass());
        if (shape.kind == Shape.WRAPPER) {
            Object inner = shape.unwrap(target);
            if (inner == null) return -1;
            shape = inner == target ? shape.asItself() : shapes.of(inner.getClass());
            target = inner;
        }
        if (shape.kind != Shape.PARTS) return -1;
        int entry = entries.addRoot(root.id, target, shape, shares.open(share));
        seen.add(target, entry);
        return entry;
    }

    private void readAll() {
        while (head < entries.count) {
            int entry = head++;
            if (!entries.isVisited[entry]) visit(entry, 0);
        }
    }

    /** It has to be run again, or there is no time: what is left is only counted. */
    private boolean isVain() {
        return isExceeded && !isShared || isLate();
    }

    private boolean isLate() {
        return child.isLate();
    }

    private void readAside() {
        for (int round = 0; isShared && round < MAX_ROUNDS && aside.count > 0; round++) {
            if (child.used() >= cap || isLate()) return;
            shares.growAll();
            DeferredEntries again = aside;
            aside = spare;
            aside.count = 0;
            spare = again;
            // A list that goes on would take all for its further elements, and none of them would be read.
            for (int at = 0; at < again.count; at++) if (again.positions[at] == 0) visit(again.entries[at], 0);
            for (int at = 0; at < again.count; at++)
                if (again.positions[at] > 0) visit(again.entries[at], again.positions[at]);
            readAll();
        }
    }

    private void visit(int entry, int from) {
        if (isVain()) {
            putAside(entry, from);
            return;
        }
        Object target = entries.targets[entry];
        Shape shape = entries.shapes[entry];
        if (!entries.isVisited[entry]) {
            entries.isVisited[entry] = true;
            if (!areTablesRead && isTable(entry, target, shape)) {
                tables.add(entry, 0);
                return;
            }
            // Static fields that lead only to what is shown elsewhere are no place of their own.
            if (target instanceof Class && glance.seesOnlyReferences(target, shape)) return;
            if (holders != null && shape.isOfApp) holders.note(entries, entry);
            if (shape.isMadeInside) leads.meet(target);
            if (isShared && entries.parents[entry] >= 0) openShare(entry, target, shape);
        }
        int share = entries.shares[entry];
        int granted = cap - child.used();
        if (isShared) granted = Math.min(granted, shares.left(share));
        // Objects that have no leaves take room as well; of a share they take a part.
        boolean isCrowded = !isShared && entries.count > LEAST_OBJECTS + 2 * cap;
        if (granted <= 0 || isCrowded) {
            putAside(entry, from);
            return;
        }
        child.of(entry, granted);
        int before = entries.count;
        int refusedAt = reader.read(target, shape, entries.hashes[entry], from, child);
        leftOut += reader.leftOut();
        if (isShared) shares.use(share, granted - child.allowance());
        if (refusedAt != ObjectReader.DONE) putAside(entry, refusedAt);
        // In a large program the elements of a small collection are as near as the collection.
        else if (isShared && shape.hasElements()) visitElements(before);
    }

    private void visitElements(int first) {
        int end = entries.count;
        if (end - first > SMALL_COLLECTION) return;
        for (int entry = first; entry < end; entry++) visit(entry, 0);
    }

    private void putAside(int entry, int position) {
        aside.add(entry, position);
        isExceeded = true;
    }
}
