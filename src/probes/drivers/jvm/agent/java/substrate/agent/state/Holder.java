package substrate.agent.state;

/** Objects of the app that the walk met at one shape of path: methods can be called on them. */
public final class Holder {
    /** `12.users{*}.cart`, `7[*]`: the number of a root; `[*]` stands for an index, `{*}` for the key of a map. */
    public final String shape;
    /**
     * Classes of the objects, in the order of the walk; a class whose static fields are the state stands for itself.
     */
    public final Class<?>[] types;
    /** True if the state is the static fields of types[0]: static methods can be called, there is no instance. */
    public final boolean isStatic;
    /** The depth is 1 for a root. */
    public final int depth;

    /** The number of other objects of the app below it. */
    public final int weight;

    public Holder(String shape, Class<?>[] types, boolean isStatic, int depth, int weight) {
        this.weight = weight;
        this.shape = shape;
        this.types = types;
        this.isStatic = isStatic;
        this.depth = depth;
    }
}
