package substrate.agent.state;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import substrate.agent.read.Entry;
import substrate.agent.read.Hash;
import substrate.agent.read.ObjectReader;
import substrate.agent.read.Rules;
import substrate.agent.read.Shape;
import substrate.agent.read.Shapes;
import substrate.agent.vm.Pace;

/**
 * Visits all objects below the roots, breadth first. Deterministic while nothing changes; keeps nothing afterwards.
 * Where the cap is too small for everything, each root and each collection has a share of it.
 */
final class Walk {
    private static final long KEY = Hash.of("key");
    private static final int MAX_MARKS = 1000;
    private static final long CHANGED = 0;

    private final Shapes shapes;
    private final ObjectReader reader;
    private final Entries entries = new Entries();
    private final SeenObjects seen = new SeenObjects();
    private final LeafBudget shares = new LeafBudget();
    private final Child child;
    private final Leads leads;
    private final ReferenceOnlyCheck referenceCheck;
    private TypesByShape holders;
    private int cap;
    private int head;
    private long leftOut;
    private DeferredEntries deferred = new DeferredEntries();
    private DeferredEntries spare = new DeferredEntries();
    /** Long static tables of scalars come last, because most never change. */
    private final DeferredEntries tables = new DeferredEntries();
    private final DeferredEntries keys = new DeferredEntries();
    /** Checksums of long tables, by the hashes of their paths. */
    private final Map<Long, Long> marks = new HashMap<Long, Long>();
    /** The cap was too small, and may still be. */
    private boolean isShared;
    /** A candidate becomes a root although it was shown at a worse place. */
    private boolean isMoved;
    /** An entry exceeded the cap or its share. */
    private boolean isExceeded;
    /** The time was too short for everything. */
    private boolean wasLate;
    /** Something was left out for lack of room or time. */
    private boolean isCut;
    /** Tables are not deferred any more. */
    private boolean areTablesRead;

    Walk(Shapes shapes, ObjectReader reader, Pace pace, Leads leads) {
        this.shapes = shapes;
        this.reader = reader;
        this.leads = leads;
        child = new Child(shapes, entries, seen, pace, leads);
        referenceCheck = new ReferenceOnlyCheck(shapes, reader, seen);
    }

    /**
     * Walks one value. A path into one of the `known` roots becomes a reference: otherwise it would bring half of the
     * state.
     */
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
     * `first`: roots that are fixed. `later`: roots that are known; an object that both reach is shown below the first.
     * A candidate becomes a root, in the registry too, if nothing shows it: neither the roots nor an earlier candidate.
     * False if the walk must be repeated, because the cap has to be shared from here on, or because the shares would
     * have been others with the new roots. `until`: in the time of the capture.
     */
    boolean run(List<RootCandidate> first, List<RootCandidate> later, List<RootCandidate> candidates, RootRegistry registry, int limit, long until,
        Leaves into, TypesByShape noted) {
        child.start(into, until);
        leads.forget();
        holders = noted;
        cap = limit;
        leftOut = 0;
        isExceeded = false;
        isMoved = false;
        try {
            child.deferKeys(keys);
            readRoots(first, later);
            readDeferred();
            wasLate = isExceeded && isLate();
            boolean mustShare = isExceeded && !isShared;
            boolean keepsSome = false;
            // The unvisited part may show a candidate.
            if (!mustShare && !wasLate) for (RootCandidate candidate : candidates) keepsSome |= adopt(candidate, registry);
            readKeys();
            readTables();
            countLeftOut();
            mustShare = isExceeded && !isShared;
            boolean isSettled = !mustShare && !(keepsSome && isExceeded) && !isMoved;
            isShared = mustShare || isShared && leftOut + child.used() > cap / 2;
            isCut = deferred.count > 0;
            return isSettled;
        } finally {
            clear();
        }
    }

    private boolean adopt(RootCandidate candidate, RootRegistry registry) {
        Object target = candidate.target();
        int known = target == null ? Entries.NO_PARENT : seen.find(target);
        if (target == null || known >= 0 && (Leads.ledTo(candidate) || !isOutOfTheWay(known))) return false;
        registry.keep(candidate);
        if (known >= 0) {
            isMoved = true;
            return true;
        }
        addRoot(candidate, cap);
        readAll();
        readDeferred();
        return true;
    }

    /** True where nobody would expect the object: it is only a map key, or belongs to a constant. */
    private boolean isOutOfTheWay(int entry) {
        for (int at = entry; entries.parents[at] >= 0; at = entries.parents[at]) {
            if (entries.segments[at] != Entries.NAME) continue;
            String name = entries.names[at];
            if (entries.isKey(entries.parents[at], Entries.NAME, name) || at != entry && isConstant(name)) return true;
        }
        return false;
    }

    /** Java's convention for constants: capitals only. */
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

    /** Keys that nothing else has shown are shown here. */
    private void readKeys() {
        child.deferKeys(null);
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
        readDeferred();
    }

    /** Tables get the rest of the cap. A table that does not fit is no reason to share. */
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

    /** A long table without any change so far: words, codes, translations. Only its size is shown. */
    private boolean isLongTable(int entry) {
        Object target = entries.targets[entry];
        Shape shape = entries.shapes[entry];
        boolean isOfPrimitives = target.getClass().isArray() && !(target instanceof Object[]);
        if (isOfPrimitives || ObjectReader.estimate(target, shape) <= Rules.longTable) return false;
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
        else if (entries.depths[entry] <= Rules.nearDepth) entries.shares[entry] = shares.openPart(share);
    }

    private static boolean isLarge(Object target, Shape shape) {
        return shape.hasElements() && ObjectReader.estimate(target, shape) > Rules.smallCollection;
    }

    private void countLeftOut() {
        for (int at = 0; at < deferred.count; at++) {
            int entry = deferred.entries[at];
            int children = ObjectReader.estimate(entries.targets[entry], entries.shapes[entry]);
            leftOut += Math.max(1, children - deferred.positions[at]);
        }
    }

    int count() {
        return child.count();
    }

    /** The least number of leaves that were seen but not read. */
    int leftOut() {
        return (int) Math.min(Integer.MAX_VALUE, leftOut);
    }

    /** True if some leaves counted as several. */
    boolean isWeighed() {
        return child.used() > child.count();
    }

    boolean wasLate() {
        return wasLate;
    }

    boolean isCut() {
        return isCut;
    }

    /** The child of the current leaf. */
    Child child() {
        return child;
    }

    private void clear() {
        deferred.count = 0;
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

    /** The walk has to be repeated, or there is no time: the rest is only counted. */
    private boolean isVain() {
        return isExceeded && !isShared || isLate();
    }

    private boolean isLate() {
        return child.isLate();
    }

    private void readDeferred() {
        for (int round = 0; isShared && round < Rules.maxRounds && deferred.count > 0; round++) {
            if (child.used() >= cap || isLate()) return;
            shares.growAll();
            DeferredEntries again = deferred;
            deferred = spare;
            deferred.count = 0;
            spare = again;
            // A list that continues would take everything for its further elements, and none of them would be read.
            for (int at = 0; at < again.count; at++) if (again.positions[at] == 0) visit(again.entries[at], 0);
            for (int at = 0; at < again.count; at++)
                if (again.positions[at] > 0) visit(again.entries[at], again.positions[at]);
            readAll();
        }
    }

    private void visit(int entry, int from) {
        if (isVain()) {
            defer(entry, from);
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
            // Static fields that hold only references to shown objects are no root.
            if (target instanceof Class && referenceCheck.seesOnlyReferences(target, shape)) return;
            if (holders != null && shape.isOfApp) holders.note(entries, entry);
            if (shape.isMadeInside) leads.meet(target);
            if (isShared && entries.parents[entry] >= 0) openShare(entry, target, shape);
        }
        int share = entries.shares[entry];
        int granted = cap - child.used();
        if (isShared) granted = Math.min(granted, shares.left(share));
        // Objects without leaves take room as well; of a share they take a part.
        boolean isCrowded = !isShared && entries.count > Rules.leastObjects + 2 * cap;
        if (granted <= 0 || isCrowded) {
            defer(entry, from);
            return;
        }
        child.of(entry, granted);
        int before = entries.count;
        int refusedAt = reader.read(target, shape, entries.hashes[entry], from, child);
        leftOut += reader.leftOut();
        if (isShared) shares.use(share, granted - child.allowance());
        if (refusedAt != ObjectReader.DONE) defer(entry, refusedAt);
        // In a large program the elements of a small collection are as near as the collection.
        else if (isShared && shape.hasElements()) visitElements(before);
    }

    private void visitElements(int first) {
        int end = entries.count;
        if (end - first > Rules.smallCollection) return;
        for (int entry = first; entry < end; entry++) visit(entry, 0);
    }

    private void defer(int entry, int position) {
        deferred.add(entry, position);
        isExceeded = true;
    }
}
