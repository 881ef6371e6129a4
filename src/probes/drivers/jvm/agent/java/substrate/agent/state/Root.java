package substrate.agent.state;

/** A place where state begins that comes with its name. */
public final class Root {
    public final String name;
    /** For people. */
    public final String origin;
    public final Object value;

    public Root(String name, String origin, Object value) {
        this.name = name;
        this.origin = origin;
        this.value = value;
    }
}
