package substrate.agent.read;

/** The plan for reading the objects of one class. */
public final class Shape {
    /** Not shown. */
    public static final int NOTHING = 0;
    public static final int SCALAR = 1;
    /** Fields, elements or both. */
    public static final int PARTS = 2;
    /** Another object is shown in its place. */
    public static final int WRAPPER = 3;

    static final Slot[] NO_SLOTS = {};
    static final Shape HIDDEN = new Shape(NOTHING, Scalars.NONE, null, null, null, NO_SLOTS, false, false, false);
    /** The shape of the agent's own records and entries, and of arrays. */
    static final Shape BARE = new Shape(PARTS, Scalars.NONE, null, null, null, NO_SLOTS, false, false, false);

    public final int kind;
    public final int scalar;
    /** All its fields are scalars, and there are few: it is shown in full at each place that holds it. */
    public final boolean isFlat;
    /** True if methods of the app can be called on it. */
    public final boolean isOfApp;
    /** True if it captured its enclosing object or variables: the fields in its source do not lead there. */
    public final boolean isMadeInside;
    final LiveTexts.Reader live;
    final Unwraps.Unwrap unwrap;
    final Container container;
    final Slot[] slots;

    private Shape(int kind, int scalar, LiveTexts.Reader live, Unwraps.Unwrap unwrap, Container container, Slot[] slots,
        boolean isFlat, boolean isOfApp, boolean isMadeInside) {
        this.kind = kind;
        this.scalar = scalar;
        this.live = live;
        this.unwrap = unwrap;
        this.container = container;
        this.slots = slots;
        this.isFlat = isFlat;
        this.isOfApp = isOfApp;
        this.isMadeInside = isMadeInside;
    }

    static Shape scalar(int scalar) {
        return new Shape(SCALAR, scalar, null, null, null, NO_SLOTS, false, false, false);
    }

    static Shape live(LiveTexts.Reader live) {
        return new Shape(SCALAR, Scalars.LIVE, live, null, null, NO_SLOTS, false, false, false);
    }

    /** `slots`: the fields of the object itself, in case it stands for no other object. */
    static Shape wrapper(Unwraps.Unwrap unwrap, Slot[] slots) {
        return new Shape(WRAPPER, Scalars.NONE, null, unwrap, null, slots, false, false, false);
    }

    static Shape parts(Slot[] slots, Container container, boolean isFlat, boolean isOfApp) {
        return new Shape(PARTS, Scalars.NONE, null, null, container, slots, isFlat, isOfApp, false);
    }

    Shape madeInside() {
        return new Shape(kind, scalar, live, unwrap, container, slots, isFlat, isOfApp, true);
    }

    /** Read as the record or the entry that is made of it at each read. */
    static Shape view(Unwraps.Unwrap view) {
        return new Shape(PARTS, Scalars.NONE, null, view, null, NO_SLOTS, false, false, false);
    }

    boolean isView() {
        return kind == PARTS && unwrap != null;
    }

    /** True for a part of a collection that is shown elsewhere as a whole. */
    public boolean isInner(Object target) {
        return container != null && container.isInner(target);
    }

    public String liveText(Object value) {
        return live.text(value);
    }

    /** The text as the name of an entry in a map; null if it can change and so is no name. */
    String liveKey(Object value) {
        if (live instanceof LiveTexts.Word) return ((LiveTexts.Word) live).key(value);
        return value instanceof java.util.Date ? live.text(value) : null;
    }

    /** An empty immutable collection: many places share one object, so no place is shown as a reference. */
    public boolean isEmptyValue(Object target) {
        return container != null && Rules.sharedEmpties.has(target.getClass().getName()) && container.size(target) == 0;
    }

    /** The object that is shown in the place of a wrapper; the wrapper itself if it stands for no other. */
    public Object unwrap(Object wrapper) {
        return unwrap.target(wrapper);
    }

    /** The shape of a wrapper that stands for no other object. */
    public Shape asItself() {
        return slots.length == 0 ? HIDDEN : parts(slots, null, false, true);
    }

    /** True for a collection or an array: it may hold any number of things. */
    public boolean hasElements() {
        return container != null || this == BARE;
    }

    public boolean showsNothing() {
        if (kind != PARTS) return kind == NOTHING;
        return this != BARE && unwrap == null && container == null && slots.length == 0;
    }

    /** For static fields: collects the objects that are not shown; false if there are no others. */
    public boolean gatherHidden(Shapes shapes, java.util.List<Object> hidden) {
        boolean shows = false;
        for (Slot slot : slots) {
            Object value = slot.type == 'L' ? slot.get(null) : null;
            if (value == null) shows |= slot.type != 'L' || slot.showsNull;
            else if (shapes.of(value.getClass()).kind == NOTHING) hidden.add(value);
            else shows = true;
        }
        return shows;
    }

    boolean hasSlot(String name) {
        for (Slot slot : slots) if (slot.name.equals(name)) return true;
        return false;
    }
}
