package substrate.agent.state;

/** A place where state begins: the first segment of the paths below it. */
public final class Root {
    public final String name;
    /** For people: `static fields of com.example.Shop`, `local variable of com.example.Main.main`, … */
    public final String origin;
    /** What stands for the name in the keys that clients see; empty: nothing does; null: the name itself. */
    public final String label;
    public final Object value;

    public Root(String name, String origin, String label, Object value) {
        this.name = name;
        this.origin = origin;
        this.label = label;
        this.value = value;
    }
}
