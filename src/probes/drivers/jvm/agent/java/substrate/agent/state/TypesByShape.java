package substrate.agent.state;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The classes of the app that the walk meets at each shape of path. */
final class TypesByShape {
    private static final int MAX_SHAPES = 5000;
    private static final int MAX_TYPES = 50;

    /** Indices in the list, by the hash of the shape. */
    private final HashIndex index = new HashIndex(0);
    private List<Place> order = new ArrayList<Place>();
    private int walk;
    private int version;
    private boolean isChanged;
    private Place last;
    private long lastHash;

    private static final class Place {
        final long hash;
        final String shape;
        final boolean isStatic;
        final int depth;
        final List<WeakReference<Class<?>>> types = new ArrayList<WeakReference<Class<?>>>(1);
        int lastWalk;
        int weight;

        Place(long hash, String shape, boolean isStatic, int depth) {
            this.hash = hash;
            this.shape = shape;
            this.isStatic = isStatic;
            this.depth = depth;
        }

        boolean knows(Class<?> type) {
            for (int at = 0; at < types.size(); at++) if (types.get(at).get() == type) return true;
            return false;
        }

        boolean hasRoom() {
            if (types.size() < MAX_TYPES) return true;
            Iterator<WeakReference<Class<?>>> all = types.iterator();
            // The app has unloaded these classes.
            while (all.hasNext()) if (all.next().get() == null) all.remove();
            return types.size() < MAX_TYPES;
        }
    }

    void beginWalk() {
        walk++;
        for (int at = 0; at < order.size(); at++) order.get(at).weight = 0;
        isChanged = false;
        last = null;
    }

    void note(Entries entries, int entry) {
        long hash = entries.shapeHashes[entry];
        // The walk is breadth first: the elements of one list come one after the other.
        Place place = last != null && hash == lastHash ? last : find(hash);
        Object target = entries.targets[entry];
        boolean isStatic = target instanceof Class;
        if (place == null) {
            if (order.size() >= MAX_SHAPES) return;
            StringBuilder shape = new StringBuilder();
            entries.shapeText(shape, entry);
            place = new Place(hash, shape.toString(), isStatic, entries.depths[entry]);
            index.add(hash, order.size());
            order.add(place);
            isChanged = true;
        }
        place.lastWalk = walk;
        weigh(entries, entry);
        last = place;
        lastHash = hash;
        Class<?> type = isStatic ? (Class<?>) target : target.getClass();
        if (place.knows(type) || !place.hasRoom()) return;
        place.types.add(new WeakReference<Class<?>>(type));
        isChanged = true;
    }

    private void weigh(Entries entries, int entry) {
        for (int at = entries.parents[entry]; at >= 0; at = entries.parents[at]) {
            Place above = entries.shapes[at].isOfApp ? find(entries.shapeHashes[at]) : null;
            if (above != null) above.weight++;
        }
    }

    private Place find(long hash) {
        int at = index.find(hash);
        return at < 0 ? null : order.get(at);
    }

    void endWalk() {
        boolean isGone = false;
        for (int at = 0; at < order.size(); at++) isGone |= order.get(at).lastWalk != walk;
        if (isGone) {
            List<Place> left = new ArrayList<Place>();
            index.reset(order.size());
            for (Place place : order) {
                if (place.lastWalk != walk) continue;
                index.add(place.hash, left.size());
                left.add(place);
            }
            order = left;
        }
        if (isGone || isChanged) version++;
    }

    int version() {
        return version;
    }

    List<Holder> list() {
        List<Holder> list = new ArrayList<Holder>(order.size());
        for (Place place : order) {
            List<Class<?>> types = new ArrayList<Class<?>>();
            for (WeakReference<Class<?>> reference : place.types) {
                Class<?> type = reference.get();
                if (type != null) types.add(type);
            }
            if (types.isEmpty()) continue;
            list.add(new Holder(place.shape, types.toArray(new Class<?>[0]), place.isStatic, place.depth, place.weight));
        }
        return list;
    }
}
